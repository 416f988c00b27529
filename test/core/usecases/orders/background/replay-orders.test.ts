import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../../src/adapters/memory/index.js';
import type { MarketId } from '../../../../../src/core/ids.js';
import { type RecordedTime, ReplayOrders } from '../../../../../src/core/usecases/orders/background/replay-orders.js';
import { ALICE, aMarket, anOrderContext, clockAt, price } from '../../../../support/builders.js';
import { rejects, rests, ScriptedExchange } from '../../../../support/scripted-exchange.js';
import { trading } from '../../../../support/trading.js';

const market = aMarket();
const at = (time: string): Date => new Date(`2026-03-01T${time}Z`);
const GAME: RecordedTime = { name: 'a game', began: at('12:00:00'), ended: at('13:00:00'), markets: [market] };

/** An account whose orders rest, and a tape that is played over it. */
function fixture() {
  const ledger = new MemoryLedger();
  const replayed: (string | undefined)[] = [];
  const exchange = {
    keep: async () => {},
    replay: async (orders: readonly { onRecord: { id: string } }[]) => {
      replayed.push(...orders.map(({ onRecord }) => onRecord.id));
    },
  };
  const place = (iso: string, marketId: MarketId = market.id) => {
    const context = anOrderContext({ clock: clockAt(at(iso).toISOString()) });
    return trading(ledger, { context, paper: new ScriptedExchange({ place: rests() }) }).place({ marketId });
  };
  const goesOn = () => new ReplayOrders(ledger, ledger, exchange).execute(GAME);
  return { ledger, replayed, place, goesOn };
}

describe('A tape that is played again goes on', () => {
  it('at its beginning when nothing is on record', async () => {
    expect(await fixture().goesOn()).toEqual(GAME.began);
  });

  it('after the newest event of an order in its time and markets', async () => {
    const { place, goesOn, replayed } = fixture();
    const order = await place('12:10:00');
    await place('11:59:00');
    await place('13:00:01');
    await place('12:20:00', 'another' as MarketId);
    expect(await goesOn()).toEqual(at('12:10:00.001'));
    expect(replayed).toEqual([order.id]);
  });

  it('before a refused order, which never reached the book', async () => {
    const { ledger, place, goesOn } = fixture();
    await place('12:10:00');
    const context = anOrderContext({ clock: clockAt(at('12:50:00').toISOString()) });
    await trading(ledger, { context, paper: new ScriptedExchange({ place: rejects('no') }) }).place({
      marketId: market.id,
    });
    expect(await goesOn()).toEqual(at('12:10:00.001'));
  });

  it('before a result that was booked, in any time', async () => {
    const { ledger, place, goesOn } = fixture();
    const order = await place('12:10:00');
    const clock = clockAt('2026-11-21T09:00:00.000Z');
    const early = anOrderContext({ clock: clockAt(at('12:30:00').toISOString()) });
    await trading(ledger, { context: early }).book(order, (posting) =>
      posting.fill({
        tradeId: 'one',
        shares: order.intent.shares,
        price: price('0.5'),
        fee: 0n as never,
        liquidity: 'MAKER',
        confirmed: true,
        model: 'test',
      } as never),
    );
    const settle = trading(ledger, { context: anOrderContext({ clock }) });
    const filled = await ledger.findOrder(ALICE, order.id);
    await settle.book(filled ?? order, (posting) => posting.record({ type: 'settled', returned: order.intent.size }));
    expect(await goesOn()).toEqual(at('12:30:00.001'));
  });

  it('where it was left, if that is later than order events', async () => {
    const { ledger, place, goesOn } = fixture();
    await place('12:10:00');
    await ledger.setBookmark('another game', at('12:50:00'));
    expect(await goesOn()).toEqual(at('12:10:00.001'));
    await ledger.setBookmark('a game', at('12:40:00'));
    expect(await goesOn()).toEqual(at('12:40:00.001'));
  });
});
