import { describe, expect, it } from 'vitest';
import { PaperExchange } from '../../../../src/adapters/paper/index.js';
import type { MarketEvent } from '../../../../src/core/market/event.js';
import {
  FollowedMarkets,
  type MarketUser,
} from '../../../../src/core/usecases/strategies/background/watched-markets.js';
import type { MarketListener } from '../../../../src/ports/market-data.js';
import { aMarket, NOON, price, shares } from '../../../support/builders.js';
import { strategyFixture } from '../../../support/strategy-fixture.js';

const MARKET = aMarket();
const BOOK: MarketEvent = {
  type: 'book',
  bids: [{ price: price('0.4'), shares: shares('10') }],
  asks: [{ price: price('0.6'), shares: shares('10') }],
  at: new Date(NOON),
};

/** Followed markets of a venue that counts who follows, and tells what the test says. */
function fixture() {
  const listeners = new Set<MarketListener>();
  let isBroken = false;
  const followed = new FollowedMarkets({
    paper: new PaperExchange(),
    follow: async (_, listener) => {
      if (isBroken) throw new Error('no venue');
      listeners.add(listener);
      return { stop: () => void listeners.delete(listener) };
    },
  });
  const user = () => {
    const heard: string[] = [];
    const one: MarketUser = {
      changed: (_, type) => void heard.push(type),
      renewed: () => void heard.push('renewed'),
    };
    const begin = async () => {
      const watched = followed.use(MARKET, one);
      await followed.follow(watched, one);
      return watched;
    };
    return { heard, begin, leave: () => followed.leave(MARKET, one) };
  };
  return {
    followed,
    user,
    followers: () => listeners.size,
    tell: async (event: MarketEvent) => {
      for (const listener of listeners) await listener(event);
    },
    breaks: () => {
      isBroken = true;
    },
  };
}

describe('A market that several use', () => {
  it('is followed once, and each user gets its changes', async () => {
    const { user, followers, tell } = fixture();
    const [bets, exits] = [user(), user()];
    const watched = await bets.begin();
    expect(await exits.begin()).toBe(watched);
    await tell(BOOK);
    expect([followers(), bets.heard, exits.heard, watched.revision]).toEqual([1, ['book'], ['book'], 1]);
  });

  it('sends a later user the current book at once', async () => {
    const { user, tell } = fixture();
    const [bets, exits] = [user(), user()];
    await bets.begin();
    await tell(BOOK);
    await exits.begin();
    expect([bets.heard, exits.heard]).toEqual([['book'], ['book']]);
  });

  it('is followed until its last user leaves', async () => {
    const { user, followers, tell } = fixture();
    const [bets, exits] = [user(), user()];
    const watched = await bets.begin();
    await exits.begin();
    await tell(BOOK);
    bets.leave();
    await tell(BOOK);
    expect([followers(), watched.isFresh, bets.heard, exits.heard]).toEqual([1, true, ['book'], ['book', 'book']]);
    exits.leave();
    await Promise.resolve();
    expect([followers(), watched.isFresh]).toEqual([0, false]);
  });

  it('notifies all users of another description, and none of the same', async () => {
    const { followed, user } = fixture();
    const [bets, exits] = [user(), user()];
    const watched = await bets.begin();
    await exits.begin();
    followed.renew(watched, { ...MARKET });
    followed.renew(watched, { ...MARKET, question: 'Another?' });
    expect([bets.heard, exits.heard]).toEqual([['renewed'], ['renewed']]);
  });

  it('that cannot be followed keeps no user, and is retried', async () => {
    const { user, breaks } = fixture();
    breaks();
    const bets = user();
    await expect(bets.begin()).rejects.toThrow('no venue');
    await expect(bets.begin()).rejects.toThrow('no venue');
    expect(bets.heard).toEqual([]);
  });

  it('has one subscription for the bets and exits of a strategy', async () => {
    const { show, held, runner, after, refresh, followers } = await strategyFixture();
    await show('0.48x1000', '0.50x1000');
    await refresh();
    expect([await held(), followers()]).toEqual([20_000_000n, 1]);
    runner.stop();
    expect(followers()).toBe(1);
    after.stop();
    await Promise.resolve();
    expect(followers()).toBe(0);
  });
});
