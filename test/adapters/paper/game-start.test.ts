import { describe, expect, it } from 'vitest';
import { MarketSimulator } from '../../../src/adapters/paper/market-simulator.js';
import type { Level } from '../../../src/core/market/event.js';
import type { ReportBatch } from '../../../src/core/matching/matcher.js';
import { statusOf } from '../../../src/core/order/order.js';
import { anOrder } from '../../core/matching/view.js';
import { price, shares, usdc } from '../../support/builders.js';
import { aMarket, levels, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';
import { fixture } from './book-fixture.js';

describe('The paper exchange at the start of a game', () => {
  it('cancels what rests when the game starts', async () => {
    const startsAt = new Date('2026-03-01T13:00:00.000Z');
    const { place, time, now } = fixture(aMarket({ clearsBookAtStart: true }, { startsAt }));
    await time.pass(startsAt.getTime() - time.now().getTime() - 1150);
    const order = await place({ price: price('0.40') });
    await time.pass(startsAt.getTime() - time.now().getTime() - 1);
    expect(statusOf(await now(order))).toBe('open');
    await time.pass(1);
    expect(statusOf(await now(order))).toBe('cancelled');
  });

  it('cancels resting orders when the venue empties the book early', async () => {
    const startsAt = new Date('2026-03-01T15:00:00.000Z');
    const { place, source, now } = fixture(aMarket({ clearsBookAtStart: true, delaySeconds: 3 }, { startsAt }));
    const resting = await place({ price: price('0.40') });
    expect(statusOf(await place({ price: price('0.50'), size: usdc('10') }))).toBe('filled');
    await source.show('', '');
    expect(statusOf(await now(resting))).toBe('cancelled');
    await source.show('', '0.50x100');
    expect(statusOf(await place({ price: price('0.50') }))).toBe('delayed');
  });

  it('reads the book two seconds after the start, denying orders until then', async () => {
    const startsAt = new Date('2026-03-01T13:00:00.000Z');
    const { place, time, source } = fixture(aMarket({ clearsBookAtStart: true }, { startsAt }));
    await time.pass(startsAt.getTime() - time.now().getTime() - 1000);
    await place();
    await time.pass(startsAt.getTime() - time.now().getTime());
    source.shown = { bids: [], asks: levels('0.30x100') };
    await time.pass(1849);
    expect((await place()).refusal?.code).toBe('market_data_stale');
    await time.pass(151);
    expect((await place()).fills).toMatchObject([{ price: price('0.3') }]);
  });

  it('applies changes that arrive while it reads the book', async () => {
    const startsAt = new Date('2026-03-01T13:00:00.000Z');
    const { place, time, source } = fixture(aMarket({ clearsBookAtStart: true }, { startsAt }));
    await time.pass(startsAt.getTime() - time.now().getTime() - 1000);
    await place();
    await time.pass(startsAt.getTime() - time.now().getTime());
    source.book = async () => {
      await source.tell({ type: 'levels', changes: [{ side: 'asks', ...(levels('0.30x0')[0] as Level) }] });
      return { bids: [], asks: levels('0.30x100 0.45x100'), at: time.now(), fresh: true };
    };
    await time.pass(2000);
    expect((await place()).fills).toMatchObject([{ price: price('0.45') }]);
  });

  it('fills no order against what went while it read', async () => {
    const time = new ManualTimeline();
    const startsAt = new Date(time.now().getTime() + 1000);
    const market = aMarket({ clearsBookAtStart: true }, { startsAt });
    const source = new ScriptedMarket(market, time, '0.40x10', '0.60x10');
    const recorded: ReportBatch[] = [];
    const context = new MarketSimulator(
      market,
      source,
      0,
      time,
      async (batches) => void recorded.push(...batches),
      'l2',
    );
    await context.follow();
    const ask = { id: 'resting', side: 'BUY', price: price('0.40'), shares: shares('10') } as const;
    await context.rest(anOrder(ask, market, startsAt));
    await time.pass(1000);
    source.book = async () => {
      await source.tell({ type: 'levels', changes: [{ side: 'asks', ...(levels('0.30x0')[0] as Level) }] });
      return { bids: [], asks: levels('0.30x100 0.45x100'), at: time.now(), fresh: true };
    };
    await context.rest(anOrder({ ...ask, id: 'in play' }, market, startsAt));
    await time.pass(2000);
    expect(recorded.map(({ order, reports }) => `${order.id} ${reports[0]?.type}`)).toEqual(['resting cancelled']);
  });
});
