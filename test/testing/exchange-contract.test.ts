import { AssertionError } from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { VenueName } from '../../src/core/ids.js';
import type { Execution, Order } from '../../src/core/order/order.js';
import type { Accepted, Exchange } from '../../src/ports/exchange.js';
import { exchangeContract } from '../../src/testing/index.js';
import { anExecution, price, shares, usdc } from '../support/builders.js';
import { aMarket } from '../support/scripted-market.js';
import { type Bend, HonestExchange } from './honest-exchange.js';

/** A way to break a promise. */
interface Liar {
  readonly promise: string;
  readonly lie: string;
  readonly exchange: () => Exchange;
}

/** An honest venue but for the methods given. */
function lying(change: (honest: HonestExchange) => Partial<Exchange>, bend?: Bend): () => Exchange {
  return () => {
    const honest = new HonestExchange(bend);
    const { venue, local, signing } = honest;
    const closedForMs = () => null;
    const place = (order: Order) => honest.place(order);
    const cancel = (order: Order) => honest.cancel(order);
    return {
      venue,
      local,
      signing,
      closedForMs,
      place,
      cancel,
      find: (order) => honest.find(order),
      ...change(honest),
    };
  };
}

const bending = (bend: Bend) => lying(() => ({}), bend);

function withExecution(change: (order: Order) => Partial<Execution>): () => Exchange {
  return bending((answer, order) => {
    const executions = answer.executions.map((execution) => ({ ...execution, ...change(order) }));
    return { ...answer, executions };
  });
}

function finding(bend: (answer: Accepted) => Accepted): () => Exchange {
  return lying((honest) => ({
    find: async (order) => {
      const found = await honest.find(order);
      return found.kind === 'accepted' ? bend(found) : found;
    },
  }));
}

const whole: Bend = (answer, { intent }) => {
  const executions = [anExecution({ shares: intent.shares, price: intent.price })];
  return { ...answer, executions, rest: 'none' };
};

const prepare = async () => {};
const lease = () => undefined;
const arrival = () => null;
const rejection = { kind: 'rejected', refusal: { code: 'no', message: 'no' } } as const;
const cancelsAll: Partial<Exchange> = { cancel: async () => ({ kind: 'cancelled' }) };

const LIES: Readonly<Record<string, Readonly<Record<string, () => Exchange>>>> = {
  'has a name': { 'has none': lying(() => ({ venue: '' as VenueName })) },
  'takes an order': { 'takes none': lying(() => ({ place: async () => rejection })) },
  'gives each order an identity of its own': {
    'gives the same to all': bending((answer) => ({ ...answer, venueOrderId: 'x' })),
    'gives none': bending((answer) => ({ ...answer, venueOrderId: '' })),
  },
  'never executes more shares than were ordered': {
    'executes one more': withExecution(({ intent }) => ({ shares: (intent.shares + 1n) as Execution['shares'] })),
  },
  'never executes at a worse price than the limit': {
    'fills a purchase above it': withExecution(({ intent }) =>
      intent.side === 'BUY' ? { price: price('0.999') } : {},
    ),
    'fills a sale below it': withExecution(({ intent }) => (intent.side === 'SELL' ? { price: price('0.001') } : {})),
  },
  'reports executions that can be booked': {
    'fills no shares': withExecution(() => ({ shares: shares('0') })),
    'fills for nothing': withExecution(() => ({ price: 0n as Execution['price'] })),
    'pays a fee out': withExecution(() => ({ fee: -1n as Execution['fee'] })),
  },
  'never takes more for a purchase than is reserved, fees included': {
    'charges a taker who pays none': withExecution(() => ({ fee: usdc('0.1') })),
    'charges a maker who pays none': withExecution(() => ({ fee: usdc('0.5'), liquidity: 'MAKER' })),
  },
  'reports each trade under an id of its own': {
    'repeats a trade': bending((answer) => ({ ...answer, executions: [...answer.executions, ...answer.executions] })),
    'names no trade': withExecution(() => ({ tradeId: '' })),
  },
  'says that nothing is left exactly when all shares are executed': {
    'says so too early': bending((answer) => ({ ...answer, rest: 'none' })),
    'does not say so': bending((answer, order) => ({ ...whole(answer, order), rest: 'open' })),
  },
  'fills a FOK whole or not at all': {
    'fills a part': withExecution(() => ({ shares: shares('1') })),
    'lets it rest': bending((answer) => ({ ...answer, executions: [], rest: 'open' })),
  },
  'lets nothing of a FAK rest': { 'lets it rest': bending((answer) => ({ ...answer, rest: 'open' })) },
  'never lets a post-only order take': { takes: withExecution(() => ({ liquidity: 'TAKER' })) },
  'finds an order as it was placed': {
    'forgets it': lying(() => ({ find: async () => ({ kind: 'absent' }) })),
    'forgets a trade': finding((answer) => ({ ...answer, executions: [] })),
    'changes a trade': finding((answer) => {
      return { ...answer, executions: answer.executions.map((execution) => ({ ...execution, shares: shares('2') })) };
    }),
    'changes its identity': finding((answer) => ({ ...answer, venueOrderId: 'other' })),
    'has what it rejected': lying((honest) => ({
      place: async (order) => {
        await honest.place(order);
        return rejection;
      },
    })),
  },
  'finds no order that was never placed': {
    'finds it': lying((honest) => ({ find: (order) => honest.place(order) })),
  },
  'refuses to cancel what is filled': { 'cancels it': lying(() => cancelsAll, whole) },
  'does not claim to cancel what was never placed': { 'claims it': lying(() => cancelsAll) },
  'cancels what works on record and is not held here, when it is local': {
    'says that it has ended': lying((honest) => {
      return { local: { lease, arrival, prepare, decide: (order) => honest.decide(order) } };
    }),
  },
  'cancels what rests, and says so again when asked again': {
    'says no the second time': lying((honest) => {
      const cancelled = new Set<string>();
      return {
        cancel: async (order) => {
          if (cancelled.has(order.id)) return { kind: 'refused', reason: 'nothing rests' };
          cancelled.add(order.id);
          return honest.cancel(order);
        },
      };
    }),
    'lets it rest all the same': lying(() => cancelsAll),
  },
  'answers the same order twice in the same way, when it is local': {
    'changes its mind': lying((honest) => {
      const anew = (order: Order) => {
        honest.forget();
        return honest.decide(order);
      };
      return { local: { lease, arrival, prepare, decide: anew }, place: async (order) => anew(order) };
    }),
    'decides otherwise than it answers': lying(() => ({ local: { lease, arrival, prepare, decide: () => rejection } })),
  },
};

/** At least one for each promise of the exchange contract. */
const LIARS: readonly Liar[] = Object.entries(LIES).flatMap(([promise, lies]) =>
  Object.entries(lies).map(([lie, exchange]) => ({ promise, lie, exchange })),
);

/** Without fees. */
const market = aMarket();
const honest = exchangeContract(async () => ({ exchange: new HonestExchange(), market }));

describe('The exchange contract', () => {
  it.each(honest)('passes an honest venue: $name', ({ check }) => expect(check()).resolves.toBeUndefined());

  it.each(LIARS)('catches a venue that violates "$promise": it $lie', async ({ promise, exchange }) => {
    const checks = exchangeContract(async () => ({ exchange: exchange(), market }));
    const broken = checks.find(({ name }) => name === promise);
    await expect(broken?.check()).rejects.toThrow(AssertionError);
  });

  it('has a liar for every promise', () => {
    expect(new Set(LIARS.map(({ promise }) => promise))).toEqual(new Set(honest.map(({ name }) => name)));
  });

  it('closes the venue after each check, also when the check fails', async () => {
    let open = 0;
    const close = async () => {
      open -= 1;
    };
    const checks = exchangeContract(async () => {
      open += 1;
      return { exchange: new HonestExchange((answer) => ({ ...answer, venueOrderId: '' })), close };
    });
    const outcomes = await Promise.allSettled(checks.map(({ check }) => check()));
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
    expect(open).toBe(0);
  });
});
