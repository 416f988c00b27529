import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { BookPaperExchange } from '../../../src/adapters/paper/index.js';
import { openTape, type TapeMarketData } from '../../../src/adapters/tape/index.js';
import { RecordReports } from '../../../src/core/usecases/orders/background/record-reports.js';
import { marketsAt } from '../../../src/core/venues/venues.js';
import type { Ledger } from '../../../src/ports/ledger.js';
import { anOpenMarket } from '../../core/matching/view.js';
import { anOrderContext, price, shares } from '../../support/builders.js';
import { gate } from '../../support/gate.js';
import { Trading } from '../../support/trading.js';
import { alive, described, level, line, pastNoon, START, tape } from './tapes.js';

const market = anOpenMarket();
const offered = (at: string) => ({ type: 'book', bids: [], asks: [level(at, '100')] }) as const;
const PATH = tape(
  line(0, described(market), market),
  line(1, offered('0.4'), market),
  line(2000, offered('0.45'), market),
  line(4000, offered('0.5'), market),
  alive(6000),
);

/** A ledger whose writes take as long as those of a database, by the event loop. */
function slow(ledger: Ledger): Ledger {
  const write: Ledger['write'] = async (scope, decide) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return ledger.write(scope, decide);
  };
  const get = (target: Ledger, name: string | symbol) => {
    const member: unknown = name === 'write' ? write : Reflect.get(target, name);
    return typeof member === 'function' ? member.bind(target) : member;
  };
  return new Proxy(ledger, { get });
}

async function trading(ledger: Ledger = new MemoryLedger()) {
  const player = await openTape(PATH, { speed: 'max' });
  const context = anOrderContext({ clock: player });
  const reports = new RecordReports(ledger, context);
  const exchange = new BookPaperExchange({
    markets: marketsAt(player),
    timeline: player,
    latencyMs: 150,
    sink: async (order, report) => void (await reports.execute(order, report)),
  });
  const { place, placed } = placing(
    new Trading(ledger, { context, markets: player, paper: player.reaching(exchange) }),
  );
  const play = async () => {
    await player.start();
    await player.ended;
    player.stop();
    exchange.close();
  };
  return { player, at: doingOn(player), play, place, placed };
}

/** Does something at a moment of the tape, and returns its result. */
const doingOn =
  (player: TapeMarketData) =>
  <Result>(moment: Date, action: () => Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      player.at(moment, () => action().then(resolve, reject));
    });

/** Places orders for 20 shares at up to 0.5, and keeps the answers. */
function placing(context: Trading) {
  const placed: { at: number; filledAt: bigint | undefined }[] = [];
  const place = async () => {
    const order = await context.place({ marketId: market.id, price: price('0.5') });
    placed.push({ at: order.placedAt.getTime() - START, filledAt: order.fills[0]?.price });
    return order;
  };
  return { place, placed };
}

describe('Trading in the time of a tape', () => {
  it('places an order on time, and plays on until its answer', async () => {
    const { at, play, place } = await trading();
    const answer = at(pastNoon(1000), place);
    await play();
    expect(await answer).toMatchObject({ placedAt: pastNoon(1000), updatedAt: pastNoon(1150), state: 'filled' });
  });

  it('holds the tape until the order is at the exchange', async () => {
    const { at, play, place, placed } = await trading(slow(new MemoryLedger()));
    const both = Promise.all([at(pastNoon(1000), place), at(pastNoon(3000), place)]);
    await play();
    await both;
    const [first, second] = [price('0.4'), price('0.45')];
    expect(placed).toEqual([
      { at: 1000, filledAt: first },
      { at: 3000, filledAt: second },
    ]);
  });

  it('lets a market rule trade at the time of its event', async () => {
    const { player, play, place, placed } = await trading(slow(new MemoryLedger()));
    await player.follow(market, async ({ type, at }) => {
      if (type === 'book' && at.getTime() === START + 2000) await place();
    });
    await play();
    expect(placed).toEqual([{ at: 2000, filledAt: price('0.45') }]);
  });

  it('waits again for work done with the answer of an order', async () => {
    const { at, play, place, placed } = await trading(slow(new MemoryLedger()));
    const both = at(pastNoon(1000), async () => {
      await place();
      await new Promise((resolve) => setTimeout(resolve, 5));
      return place();
    });
    await play();
    await both;
    expect(placed.map(({ at }) => at)).toEqual([1000, 1150]);
  });

  it('runs outside work now, and not while something else happens', async () => {
    const { player, at, play, place, placed } = await trading(slow(new MemoryLedger()));
    const told: string[] = [];
    const [asking, asked] = [gate(), gate()];
    // What waits here goes on outside of the work that opens the gate.
    const outside = asking.opened.then(() => {
      const answer = player.perform(async () => {
        told.push('outside');
        return place();
      });
      asked.open();
      return answer;
    });
    const inside = at(pastNoon(2500), async () => {
      asking.open();
      await asked.opened;
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      told.push('inside');
    });
    await play();
    await Promise.all([inside, outside]);
    expect(told).toEqual(['inside', 'outside']);
    expect(placed).toEqual([{ at: 2500, filledAt: price('0.45') }]);
  });

  it('is refused before a tape begins and after it stops', async () => {
    const { player, place } = await trading();
    expect(await player.perform(place)).toMatchObject({ state: 'denied' });
    player.close();
    expect(await player.perform(place)).toMatchObject({ state: 'denied' });
  });

  it('waits for an action that sends nothing to finish', async () => {
    const { player, at, play } = await trading();
    const seen: number[] = [];
    const look = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(player.now().getTime() - START);
    };
    const looked = [at(pastNoon(1000), look), at(pastNoon(2500), look)];
    await play();
    await Promise.all(looked);
    expect(seen).toEqual([1000, 2500]);
  });

  it('reports a failed task to its caller and plays on', async () => {
    const { at, play, place } = await trading();
    const failed = at(pastNoon(1000), async () => {
      throw new Error('the rule is broken');
    });
    const answer = at(pastNoon(2000), place);
    await Promise.all([expect(failed).rejects.toThrow('the rule is broken'), play()]);
    expect((await answer).filled.shares).toBe(shares('20'));
  });
});
