import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { MarketDataUnavailable, MarketNotFound } from '../../../../src/core/errors.js';
import type { AccountId, MarketId } from '../../../../src/core/ids.js';
import { type Market, unlistedMarket } from '../../../../src/core/market/market.js';
import type { MarketData } from '../../../../src/ports/market-data.js';
import { ALICE, anOrderContext, BOB } from '../../../support/builders.js';
import { Trading } from '../../../support/trading.js';

const id = (text: string) => text as MarketId;
const GAME: Market = { ...unlistedMarket(id('0xgame')), slug: 'the-game', question: 'Who wins?' };

/** A source of one market, which it also knows by its slug; while it is silent it answers nothing. */
function oneGame() {
  const state = { isSilent: false, isListed: true, asked: 0 };
  const find = async (name: MarketId): Promise<Market | undefined> => {
    state.asked += 1;
    if (state.isSilent) throw new MarketDataUnavailable();
    return state.isListed && (name === GAME.id || name === 'the-game') ? GAME : undefined;
  };
  return { state, markets: Object.assign(new NoMarketData(), { find }) as MarketData };
}

async function fixture() {
  const { state: source, markets } = oneGame();
  const trading = new Trading(new MemoryLedger(), { context: anOrderContext(), markets });
  const order = await trading.place({ marketId: id('0xgame') });
  source.asked = 0;
  const { read } = trading.use.orders;
  const list = async (marketId: string, account = ALICE) =>
    (await read.many(account, { marketId: id(marketId) }, { limit: 10 })).items.map((one) => one.id);
  return { source, order, list };
}

describe('Orders of a market', () => {
  it('are found by its id, without its source, and by its slug', async () => {
    const { source, order, list } = await fixture();
    expect(await list('0xgame')).toEqual([order.id]);
    expect(source.asked).toBe(0);
    expect(await list('the-game')).toEqual([order.id]);
    source.isSilent = true;
    expect(await list('0xgame')).toEqual([order.id]);
    await expect(list('another-game')).rejects.toThrow(MarketDataUnavailable);
  });

  it('are found by the slug of own orders when the source fails', async () => {
    const { source, order, list } = await fixture();
    source.isSilent = true;
    expect(await list('the-game')).toEqual([order.id]);
    await expect(list('the-game', BOB)).rejects.toThrow(MarketDataUnavailable);
    Object.assign(source, { isSilent: false, isListed: false });
    expect(await list('the-game')).toEqual([order.id]);
    await expect(list('the-game', BOB)).rejects.toThrow(MarketNotFound);
  });

  it('are an empty list for a known market without own orders', async () => {
    const { list } = await fixture();
    expect(await list('the-game', BOB)).toEqual([]);
    expect(await list('0xgame', BOB)).toEqual([]);
  });

  it('are refused where neither source nor own orders know the market', async () => {
    const { list } = await fixture();
    await expect(list('no-such-game')).rejects.toThrow(MarketNotFound);
  });
});

describe('Searches for an unknown market', () => {
  /** A store in which searches for slugs end when the test says so. */
  function slowStage() {
    const ledger = new MemoryLedger();
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    ledger.findMarketBySlug = async (account, slug) => {
      begun.push(`${account} ${slug}`);
      await new Promise<void>((end) => ends.push(end));
      return undefined;
    };
    const { read } = new Trading(ledger, { context: anOrderContext(), markets: oneGame().markets }).use.orders;
    const list = (account: AccountId, marketId: string) =>
      read.many(account, { marketId: id(marketId) }, { limit: 10 }).catch((error: unknown) => error);
    return { begun, ends, list };
  }

  it('of one account run in sequence, those of different accounts concurrently', async () => {
    const { begun, ends, list } = slowStage();
    const asked = ['a', 'b', 'c', 'c'].map((slug) => list(ALICE, slug));
    await expect.poll(() => begun).toEqual([`${ALICE} a`]);
    asked.push(list(BOB, 'a'));
    await expect.poll(() => begun).toEqual([`${ALICE} a`, `${BOB} a`]);
    for (let ended = 0; ended < 4; ended += 1) {
      await expect.poll(() => ends.length).toBeGreaterThan(0);
      ends.shift()?.();
    }
    expect((await Promise.all(asked)).every((error) => error instanceof MarketNotFound)).toBe(true);
    expect(begun).toEqual([`${ALICE} a`, `${BOB} a`, `${ALICE} b`, `${ALICE} c`]);
  });
});
