import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../src/adapters/system/system.js';
import { PAPER_CASH } from '../../../../src/core/account/account.js';
import type { Position } from '../../../../src/core/account/position.js';
import { plus, type Usdc } from '../../../../src/core/money.js';
import { chainText } from '../../../../src/core/order/event.js';
import type { Order } from '../../../../src/core/order/order.js';
import { noExposure } from '../../../../src/core/strategy/strategy.js';
import { audited, found, view } from '../../../support/audited.js';
import { ALICE, MARKET, shares, usdc } from '../../../support/builders.js';
import { type ScriptedExchange, ScriptedSimulator } from '../../../support/scripted-exchange.js';
import { seenAs } from '../../../support/seen-as.js';

const YES = `${MARKET} YES`;
const MICRO = 1n;

describe('what was tampered with is found and named', () => {
  it('cash that is off by a millionth', async () => {
    const { ledger } = await view();
    const wrong = seenAs(ledger, {
      findBalance: async (...of) => {
        const balance = await ledger.findBalance(...of);
        return balance && { ...balance, cash: (balance.cash + MICRO) as typeof balance.cash };
      },
    });
    const [alice] = await audited(wrong);
    const right = (await ledger.findBalance(ALICE, PAPER_CASH))?.cash ?? 0n;
    expect(alice?.findings).toMatchObject([{ check: 'cash', about: null, found: right + MICRO, expected: right }]);
    expect(alice?.findings[0]?.message).toMatch(/^The cash: .*, 0\.000001 too much\.$/);
  });

  it('a balance that is gone', async () => {
    const { ledger } = await view();
    const wrong = seenAs(ledger, { listBalances: async () => [], findBalance: async () => undefined });
    expect(await found(wrong)).toEqual(['cash account', 'reserved_cash account', 'outstanding account']);
  });

  it.each([
    ['cost', [`cost ${YES}`]],
    ['reserved', [`reserved_shares ${YES}`]],
    ['fees', ['fees account']],
    ['realised', ['realised account']],
  ] as const)('a position whose %s is off by a millionth', async (member, names) => {
    const { ledger } = await view();
    const wrong = seenAs(ledger, {
      listPositions: async (...of) =>
        (await ledger.listPositions(...of)).map((position) =>
          position.strategyId === null && position.outcome === 'YES'
            ? { ...position, [member]: position[member] + MICRO }
            : position,
        ),
    });
    expect(await found(wrong)).toEqual(names);
  });

  it('a position with more reserved than held, or cost without shares', async () => {
    const { ledger, strategy } = await view();
    const wrong = seenAs(ledger, {
      listPositions: async (...of) =>
        (await ledger.listPositions(...of)).map((position) =>
          position.outcome === 'YES' ? { ...position, shares: shares('0'), reserved: shares('7') } : position,
        ),
    });
    const findings = (await audited(wrong)).flatMap((one) => one.findings).filter(({ check }) => check === 'position');
    expect(findings.map(({ message }) => message.replace(strategy.id, 'S').replace(/:.*/, ''))).toEqual([
      `The position ${YES} has more shares reserved than there are`,
      `The position ${YES} has a cost without shares`,
      `The position ${YES} of strategy S has more shares reserved than there are`,
      `The position ${YES} of strategy S has a cost without shares`,
      `The position ${YES} of strategy S has shares reserved, which only the whole account has`,
    ]);
  });

  it('more shares on sale than held, also in a command-line audit', async () => {
    const reserved = (one: Position): Position => ({ ...one, reserved: plus(one.reserved, shares('100')) });
    const names = async (paper?: ScriptedExchange) => {
      const { ledger } = await view(paper);
      const wrong = seenAs(ledger, {
        listPositions: async (...of) => (await ledger.listPositions(...of)).map(reserved),
      });
      return new Set((await audited(wrong, null)).flatMap(({ findings }) => findings.map(({ message }) => message)));
    };
    const more = expect.stringMatching(/ has more shares reserved than there are: /);
    expect([...(await names(new ScriptedSimulator()))]).toContainEqual(more);
    expect([...(await names())]).not.toContainEqual(more);
  });

  it('a position that is gone, and orders that are gone', async () => {
    const { ledger, strategy } = await view();
    const position = seenAs(ledger, {
      listPositions: async (...of) => (await ledger.listPositions(...of)).filter(({ outcome }) => outcome === 'YES'),
    });
    const gone = [`shares ${MARKET} NO`, `shares ${MARKET} NO`];
    expect(await found(position)).toEqual([
      'outstanding account',
      `cost ${MARKET} NO`,
      `wanted_shares ${MARKET} NO`,
      `committed ${strategy.id}`,
      `risk ${MARKET} NO`,
      ...gone,
    ]);
    const orders = seenAs(ledger, { listVenueOrders: async () => [], listOrders: async () => [] });
    const parts = [`held_fees ${YES}`, `shares ${YES}`, `shares ${MARKET} NO`];
    const of = [`wanted_shares ${MARKET} NO`, `reserved_shares ${YES}`];
    const kept = ['reserved_cash account', 'outstanding account', ...of];
    expect(await found(orders)).toEqual([...kept, ...parts]);
  });

  it('a position with an amount below zero', async () => {
    const { ledger } = await view();
    const wrong = seenAs(ledger, {
      listPositions: async (...of) =>
        (await ledger.listPositions(...of)).map((position) => ({ ...position, cost: -position.cost as Usdc })),
    });
    const [alice] = await audited(wrong);
    const words = alice?.findings.filter(({ check }) => check === 'position').map(({ message }) => message);
    expect(words).toEqual(Array(4).fill(expect.stringContaining('has an amount below zero')));
  });

  it('a reservation that an ended order left behind', async () => {
    const { trader, ledger, buying } = await view();
    const before = await ledger.findBalance(ALICE, PAPER_CASH);
    await trader.cancelOrder.execute({ account: ALICE, orderId: buying.id, idempotencyKey: null });
    expect(await found(ledger)).toEqual([]);
    const names = await found(seenAs(ledger, { findBalance: async () => before }));
    expect(names).toEqual(['reserved_cash account', 'outstanding account']);
  });

  it('the money that a strategy has committed', async () => {
    const { ledger, strategy } = await view();
    const wrong = seenAs(ledger, {
      read: (scope, look) =>
        ledger.read(scope, (now) => {
          const more = (id: typeof strategy.id, paper: boolean) => {
            const exposure = now.exposure(id, paper);
            return exposure && { ...exposure, committed: (exposure.committed - MICRO) as typeof exposure.committed };
          };
          return look({ ...now, exposure: more });
        }),
    });
    expect(await found(wrong)).toEqual([`committed ${strategy.id}`]);
  });

  it('what trading brought a strategy, also after a reset', async () => {
    const { trader, ledger, strategy, selling, buying } = await view();
    const more = seenAs(ledger, {
      read: (scope, look) =>
        ledger.read(scope, (now) => {
          const exposure = (id: typeof strategy.id, paper: boolean) => {
            const { counted, ...found } = now.exposure(id, paper) ?? noExposure(strategy, paper);
            return { ...found, counted: { ...counted, booked: plus(counted.booked, MICRO as Usdc) } };
          };
          return look({ ...now, exposure });
        }),
    });
    expect(await found(more)).toEqual([`booked ${strategy.id}`]);
    for (const { id: orderId } of [selling, buying])
      await trader.cancelOrder.execute({ account: ALICE, orderId, idempotencyKey: null });
    await trader.use.accounts.resetPaper.execute({ by: ALICE, account: ALICE, idempotencyKey: null });
    expect(await found(ledger)).toEqual([]);
    expect(await found(more)).toEqual([`booked ${strategy.id}`]);
  });

  it('a line or a whole entry missing from the journal', async () => {
    const { ledger, bought } = await view();
    const [, first] = await ledger.listEntries(ALICE, true, { limit: 2 });
    const line = seenAs(ledger, {
      listEntries: async (...of) =>
        (await ledger.listEntries(...of)).map((entry) =>
          entry.id === first?.id ? { ...entry, lines: entry.lines.filter((one) => one.ledger !== 'fees') } : entry,
        ),
    });
    expect(await found(line)).toEqual([`entry ${first?.id}`, 'fees account', `entry ${first?.id}`]);
    const whole = seenAs(ledger, {
      listEntries: async (...of) => (await ledger.listEntries(...of)).filter(({ id }) => id !== first?.id),
    });
    const shares = [`held_fees ${YES}`, `shares ${YES}`, `held_fees ${YES}`, `shares ${YES}`];
    expect(await found(whole)).toEqual(['cash account', 'fees account', `cost ${YES}`, `fill ${bought.id}`, ...shares]);
  });

  it('an event whose amount was changed', async () => {
    const { ledger, bought } = await view();
    const wrong = seenAs(ledger, {
      listEvents: async (...of) =>
        (await ledger.listEvents(...of)).map((event) => {
          const { change } = event;
          if (event.orderId !== bought.id || change.type !== 'fill') return event;
          return { ...event, change: { ...change, fill: { ...change.fill, fee: usdc('0.2') } } };
        }),
    });
    const [alice] = await audited(wrong);
    const filled = bought.seq;
    expect(alice?.findings.map(({ message }) => message)).toEqual([
      `Order ${bought.id}: event ${filled} does not match its hash.`,
    ]);
  });

  it('an event that cannot have happened, though its hash was made anew', async () => {
    const { ledger, trader, bought } = await view();
    const other = await trader.history(bought);
    const twice = { ...other[1], seq: 2, change: other[0]?.change };
    const forged = { ...twice, hash: sha256(chainText(other[0]?.hash ?? '', twice as never)) };
    const wrong = seenAs(ledger, {
      listEvents: async (...of) =>
        (await ledger.listEvents(...of)).map((event) =>
          event.orderId === bought.id && event.seq === 2 ? (forged as typeof event) : event,
        ),
    });
    const [alice] = await audited(wrong);
    expect(alice?.findings).toMatchObject([
      { check: 'events', about: bought.id, message: expect.stringMatching('event 2 cannot have happened') },
    ]);
  });

  it.each([
    ['the first', 1],
    ['one in the middle', 2],
    ['the last', 4],
  ])('an event that was removed: %s', async (_, seq) => {
    const { ledger, bought } = await view();
    const wrong = seenAs(ledger, {
      listEvents: async (...of) =>
        (await ledger.listEvents(...of)).filter((event) => event.orderId !== bought.id || event.seq !== seq),
    });
    expect(bought.seq).toBe(4);
    const [alice] = await audited(wrong);
    expect(alice?.findings.map(({ message }) => message)).toEqual([`Order ${bought.id}: event ${seq} is missing.`]);
  });

  it('each member of an order that differs from its events', async () => {
    const { ledger, bought } = await view();
    const alter = (order: Order): Order =>
      order.id === bought.id ? { ...order, state: 'cancelled', filled: { ...order.filled, fees: usdc('0.2') } } : order;
    const wrong = seenAs(ledger, { listOrders: async (...of) => (await ledger.listOrders(...of)).map(alter) });
    const [alice] = await audited(wrong);
    expect(alice?.findings.map(({ message }) => message)).toEqual([
      `Order ${bought.id}, state: on record cancelled, by its events filled.`,
      `Order ${bought.id}, filled.fees: on record 0.2, by its events 0.1, 0.1 too much.`,
    ]);
  });
});
