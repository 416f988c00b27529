import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { TapeLine } from '../../../src/adapters/tape/index.js';
import { PAPER_CASH } from '../../../src/core/account/account.js';
import { anOpenMarket } from '../../core/matching/view.js';
import { ALICE, countingIds, price, shares } from '../../support/builders.js';
import { type Action, TapeSession } from '../../support/tape-session.js';
import { described, level, pastNoon, tape } from '../tape/tapes.js';

const market = anOpenMarket();
const line = (ms: number, change: Extract<TapeLine, { type: 'change' }>['change']): TapeLine => {
  return { at: pastNoon(ms), type: 'change', marketId: market.id, change };
};
const offered = (at: string, size: string) => ({ type: 'book', bids: [], asks: [level(at, size)] }) as const;
const beginning = line(0, described(market));
const end = { at: pastNoon(10_000), type: 'alive' } as const;

/** Wants 20 shares at up to 0.5, a second after noon. */
const order: Action = {
  type: 'order',
  at: pastNoon(1000),
  key: 'one',
  ask: { account: ALICE, outcome: 'YES', side: 'BUY', price: price('0.5'), shares: shares('20'), timeInForce: 'GTC' },
};

/** One ledger, and the tapes that are played over it one after another. */
function over(ledger: MemoryLedger, ...later: readonly Action[]) {
  return {
    async play(...lines: readonly TapeLine[]) {
      const session = new TapeSession(ledger, tape(beginning, ...lines, end), countingIds, 150);
      await session.play([order, ...later]);
      const placed = (await ledger.listOrders(ALICE, {}, { limit: 10 })).at(-1);
      return { placed, faults: session.faults, balance: await ledger.findBalance(ALICE, PAPER_CASH) };
    },
  };
}

describe('Orders on record, when a tape is played again', () => {
  it('stand as they do on record, and nothing is said', async () => {
    const { play } = over(new MemoryLedger());
    const lines = [line(1, offered('0.4', '10')), line(2000, offered('0.45', '5'))];
    const first = await play(...lines);
    expect(first.placed?.fills.map(({ shares: count }) => count)).toEqual([shares('10'), shares('5')]);
    expect(await play(...lines)).toEqual({ ...first, faults: [] });
  });

  it('keep their fills when another tape would fill at another price', async () => {
    const { play } = over(new MemoryLedger());
    const first = await play(line(1, offered('0.4', '20')));
    expect(first.placed?.state).toBe('filled');
    const again = await play(line(1, offered('0.5', '20')));
    expect(again).toMatchObject({ placed: first.placed, balance: first.balance });
    expect(String(again.faults[0])).toContain('contradicts the record');
  });

  it('gain nothing before the newest moment on record', async () => {
    const { play } = over(new MemoryLedger(), { ...order, at: pastNoon(3000), key: 'two' });
    const first = await play(line(1, offered('0.6', '20')));
    expect(first.placed?.state).toBe('open');
    const generous = [
      line(1, offered('0.6', '20')),
      line(2000, offered('0.5', '20')),
      line(2001, offered('0.6', '20')),
    ];
    const again = await play(...generous);
    expect(again).toMatchObject({ placed: first.placed, balance: first.balance });
    expect(again.faults).toHaveLength(1);
  });

  it('gain nothing once they have ended on record', async () => {
    const cancel = { type: 'cancel', at: pastNoon(2000), key: 'no', placedAt: order.at, account: ALICE } as const;
    const { play } = over(new MemoryLedger(), cancel);
    const first = await play(line(1, offered('0.6', '20')));
    expect(first.placed).toMatchObject({ state: 'cancelled', updatedAt: pastNoon(2150) });
    const again = await play(line(1, offered('0.6', '20')), line(2150, offered('0.5', '20')));
    expect(again).toMatchObject({ placed: first.placed, balance: first.balance });
    expect(again.faults).toHaveLength(1);
  });

  it('stay ended when a longer tape would not have ended them', async () => {
    const { play } = over(new MemoryLedger());
    const closed = line(3000, described({ ...market, status: 'closed' }));
    const first = await play(line(1, offered('0.6', '20')), closed);
    expect(first.placed).toMatchObject({ state: 'cancelled', updatedAt: pastNoon(3000) });
    const again = await play(line(1, offered('0.6', '20')), line(5000, offered('0.5', '20')));
    expect(again).toMatchObject({ placed: first.placed, balance: first.balance });
    expect(again.faults).toHaveLength(1);
  });

  it('rest behind everyone where another tape would have refused them', async () => {
    const { play } = over(new MemoryLedger());
    const first = await play(line(1, offered('0.6', '20')));
    expect(first.placed?.state).toBe('open');
    const again = await play(line(2000, offered('0.6', '20')), line(5000, offered('0.5', '20')));
    expect(again.faults).toHaveLength(1);
    expect(again.placed).toMatchObject({ state: 'filled', fills: [{ liquidity: 'MAKER' }] });
  });

  it('lose nothing where another tape does not give it', async () => {
    const { play } = over(new MemoryLedger());
    const first = await play(line(1, offered('0.4', '10')));
    const again = await play(line(1, offered('0.6', '10')), line(5000, offered('0.5', '10')));
    expect(again.faults).toHaveLength(1);
    const [kept, gained] = again.placed?.fills ?? [];
    expect(kept).toEqual(first.placed?.fills[0]);
    expect(gained).toMatchObject({ shares: shares('10'), price: price('0.5'), liquidity: 'MAKER' });
  });
});
