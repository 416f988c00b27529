import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MarketDataUnavailable, MarketUnusable } from '../../../../src/core/errors.js';
import type { MarketId } from '../../../../src/core/ids.js';
import { NO_WON, YES_WON } from '../../../../src/core/market/lifecycle.js';
import type { Asker } from '../../../../src/ports/market-data.js';
import type { FakeMarket } from '../../../support/fake-polymarket/rest.js';
import { aListedGame, Venue } from './venue.js';

type Json = Readonly<Record<string, unknown>>;

const RESULT: Asker = { account: null, purpose: 'result' };

let venue: Venue;
beforeEach(async () => {
  venue = await Venue.open();
});
afterEach(() => venue.close());

const condition = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as MarketId;
const resultsOf = (ids: readonly MarketId[]) => Promise.all(ids.map((id) => venue.data.find(id, RESULT)));
/** How many requests to these paths are sent while `work` runs. */
async function sent(prefix: string, work: () => Promise<unknown>): Promise<number> {
  const before = venue.rest.asked(prefix);
  await work();
  return venue.rest.asked(prefix) - before;
}

/** The nth of several games, in which the first side won. */
function over(n: number, { gamma = {}, clob = {} }: { readonly gamma?: Json; readonly clob?: Json } = {}): FakeMarket {
  const game = aListedGame();
  const tokens = [`${10_000 + n}`, `${20_000 + n}`];
  const names = { id: `${1_000_000 + n}`, slug: `other-${n}`, conditionId: condition(n) };
  const won = { closed: true, acceptingOrders: false, umaResolutionStatus: 'resolved', outcomePrices: '["1", "0"]' };
  const winners = tokens.map((token, at) => ({ token_id: token, outcome: `${at}`, price: 0, winner: at === 0 }));
  return {
    gamma: { ...game.gamma, ...names, clobTokenIds: JSON.stringify(tokens), ...won, ...gamma },
    clob: {
      ...game.clob,
      condition_id: condition(n),
      market_slug: `other-${n}`,
      closed: true,
      accepting_orders: false,
      tokens: winners,
      ...clob,
    },
  };
}

const open = (n: number): FakeMarket => ({ gamma: { ...aListedGame().gamma, ...idsOf(n) } });
const idsOf = (n: number): Json => {
  const { id, slug, conditionId, clobTokenIds } = over(n).gamma ?? {};
  return { id, slug, conditionId, clobTokenIds };
};

describe('results that are asked for at once', () => {
  test('of 300 open markets cost twelve requests, and six from then on', async () => {
    const many = Array.from({ length: 300 }, (_, n) => n);
    venue.lists(...many.map(open));
    const look = () => resultsOf(many.map(condition));
    expect(await sent('/', look)).toBe(12);
    venue.clock.tick(30_000);
    expect(await sent('/', look)).toBe(6);
  });

  test('are found among open markets', async () => {
    venue.lists(open(1), over(2), open(3));
    const found = await resultsOf([condition(1), condition(2), condition(3), condition(4)]);
    expect(found.map((market) => market?.payout)).toEqual([undefined, YES_WON, undefined, undefined]);
  });

  test('are found of a market that was open at the last look', async () => {
    venue.lists(open(1));
    expect(await resultsOf([condition(1)])).toEqual([undefined]);
    venue.lists(over(1));
    expect((await resultsOf([condition(1)]))[0]).toMatchObject({ status: 'resolved', payout: YES_WON });
  });

  test('are found where Gamma does not list the market by its condition', async () => {
    const hex = 171;
    const { gamma, clob } = over(hex);
    const spelt = condition(hex).replace('ab', 'AB');
    venue.lists(
      { gamma: { ...gamma, conditionId: spelt }, clob: { ...clob, condition_id: spelt } },
      { clob: clob ?? {} },
    );
    expect((await resultsOf([condition(hex)]))[0]?.payout).toEqual(YES_WON);
  });

  test('are found beside a market whose record cannot be read', async () => {
    venue.lists(over(1, { gamma: { outcomes: 7 } }), over(2));
    const [broken, well] = await Promise.allSettled([1, 2].map((n) => venue.data.find(condition(n), RESULT)));
    expect(broken).toMatchObject({ status: 'rejected', reason: expect.any(MarketUnusable) });
    expect(well).toMatchObject({ status: 'fulfilled', value: { payout: YES_WON } });
  });

  test('all fail when the venue fails, and are found next time', async () => {
    venue.lists(over(1), over(2));
    venue.rest.script('/gamma/markets/keyset', { kind: 'status', status: 403 });
    const [one, other] = await Promise.allSettled([1, 2].map((n) => venue.data.find(condition(n), RESULT)));
    for (const failed of [one, other])
      expect(failed).toMatchObject({ status: 'rejected', reason: expect.any(MarketDataUnavailable) });
    expect((await resultsOf([condition(1), condition(2)])).map((market) => market?.payout)).toEqual([YES_WON, YES_WON]);
  });
});

describe('a result', () => {
  test('is compared with the CLOB again after ten minutes', async () => {
    venue.lists(over(1));
    const look = () => resultsOf([condition(1)]);
    expect(await sent('/clob', look)).toBe(2);
    venue.clock.tick(10 * 60_000 - 1);
    expect(await sent('/clob', look)).toBe(0);
    venue.clock.tick(2);
    expect(await sent('/clob', look)).toBe(2);
  });

  test('that is amended is found at the next look', async () => {
    venue.lists(over(1));
    await resultsOf([condition(1)]);
    venue.clock.tick(30_000);
    const tokens = ((over(1).clob?.['tokens'] ?? []) as Json[]).map((token, at) => ({ ...token, winner: at === 1 }));
    venue.lists(over(1, { gamma: { outcomePrices: '["0", "1"]' }, clob: { tokens } }));
    expect((await resultsOf([condition(1)]))[0]?.payout).toEqual(NO_WON);
  });

  test('that one source alone has is asked for each time', async () => {
    venue.lists(over(1, { clob: { closed: false } }));
    const look = () => resultsOf([condition(1)]);
    expect((await look())[0]?.payout).toBeNull();
    venue.lists(over(1));
    expect((await look())[0]?.payout).toEqual(YES_WON);
  });
});

test('an open market found for results is read again by clients', async () => {
  venue.lists(open(1));
  await resultsOf([condition(1)]);
  expect((await venue.data.find(condition(1)))?.status).toBe('open');
});
