import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readClobMarket, readCompactMarket } from '../../../../src/adapters/polymarket/http/clob-wire.js';
import { readGammaMarket } from '../../../../src/adapters/polymarket/http/gamma-wire.js';
import { listing } from '../../../../src/adapters/polymarket/market-data/listing.js';
import { MarketUnusable } from '../../../../src/core/errors.js';
import { NO_WON, type Payout, SPLIT, samePayout, YES_WON } from '../../../../src/core/market/lifecycle.js';
import type { Market } from '../../../../src/core/market/market.js';
import { formatMicro, ONE } from '../../../../src/core/money.js';
import { ROOT } from '../../../support/build.js';

type Json = Record<string, unknown>;

interface Row {
  readonly name: string;
  readonly gamma: Json;
  readonly clob?: { readonly compact?: Json; readonly full?: Json };
  readonly expect: Json & { readonly refused?: string };
}

const NOW = new Date('2027-01-10T12:00:00Z');
const ROWS = readFileSync(join(ROOT, 'test/fixtures/markets.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);
const USABLE = ROWS.filter((row) => row.expect.refused === undefined);
const REFUSED = ROWS.filter((row) => row.expect.refused !== undefined);

function list({ gamma, clob }: Row, now = NOW): Market {
  return listing(
    {
      gamma: readGammaMarket(gamma),
      compact: clob?.compact === undefined ? undefined : readCompactMarket(clob.compact),
      clob: clob?.full === undefined ? undefined : readClobMarket(clob.full),
      readAt: now,
    },
    now,
  );
}

/** The market in the words of the fixtures. */
function asFixture({ outcomes, status, payout, kind, line, startsAt, sport, league, terms }: Market): Json {
  return {
    yes: outcomes?.[0].tokenId,
    no: outcomes?.[1].tokenId,
    labels: outcomes?.map(({ label }) => label),
    status,
    payout: payout === null ? null : payoutWord(payout),
    kind,
    line,
    startsAt: startsAt?.toISOString() ?? null,
    sport,
    league,
    ...(terms === null ? { terms } : {}),
    negRisk: terms?.negRisk ?? null,
    acceptingOrders: terms?.acceptingOrders ?? null,
    tick: terms === null ? null : formatMicro(terms.tick),
    fee: terms?.fee == null ? null : formatMicro(terms.fee.rate),
    delaySeconds: terms?.delaySeconds ?? null,
  };
}

function payoutWord(payout: Payout): string | undefined {
  const words: readonly (readonly [string, Payout])[] = [
    ['yes', YES_WON],
    ['no', NO_WON],
    ['split', SPLIT],
  ];
  return words.find(([, known]) => samePayout(known, payout))?.[0];
}

test('there are at least 200 markets, both usable and not', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(200);
  expect(USABLE.length).toBeGreaterThan(100);
  expect(REFUSED.length).toBeGreaterThan(30);
});

test('the words of the venue become text that every store keeps alike', () => {
  const row = USABLE.find(({ name }) => name.includes('two teams, nba, with both records')) as Row;
  const words = {
    question: 'who\u0000 wins\u001b[2J?',
    slug: 'home\ud83daway',
    outcomes: '["Bu\\udc00cks", "🐗\\télan"]',
  };
  const events = [{ id: '7', slug: 'a\u0085b', title: 'The\ngame', seriesSlug: 'nb\u0007a' }];
  const { question, slug, outcomes, event, league } = list({ ...row, gamma: { ...row.gamma, ...words, events } });
  expect([question, slug]).toEqual(['who� wins�[2J?', 'home�away']);
  expect(outcomes?.map(({ label }) => label)).toEqual(['Bu�cks', '🐗 élan']);
  expect([event?.slug, event?.title, league]).toEqual(['a b', 'The game', 'nb�a']);
});

test('a market that delays orders by over a day is unusable', () => {
  const row = USABLE.find(({ name }) => name.includes('two teams, nba, with both records')) as Row;
  const held = (secondsDelay: number) => () => list({ ...row, gamma: { ...row.gamma, secondsDelay } });
  expect(held(86_400)).not.toThrow();
  expect(held(86_401)).toThrow('cannot be read, at secondsDelay');
});

describe('a market is listed as the venue describes it', () => {
  test.each(USABLE)('$name', (row) => {
    expect(asFixture(list(row))).toEqual({ line: null, ...row.expect });
  });
});

describe('a market that cannot be identified for sure is refused with its reason', () => {
  test.each(REFUSED)('$name', (row) => {
    const refusal = (() => {
      try {
        return list(row);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(MarketUnusable);
    expect(refusal).toHaveProperty('reason', row.expect.refused);
    expect((refusal as Error).message).toMatch(/^The .+\.$|^Two .+\.$|^Both .+\.$/);
  });
});

test('no label, title or question changes which token is which', () => {
  for (const row of USABLE) {
    const renamed = { ...row, gamma: { ...row.gamma, outcomes: '["No", "Yes"]', question: 'No', slug: 'no' } };
    expect(list(renamed).outcomes?.map(({ tokenId }) => tokenId)).toEqual([row.expect['yes'], row.expect['no']]);
  }
});

test('an open market is in play exactly from its start', () => {
  const [row] = USABLE;
  if (row === undefined) throw new Error('no fixture');
  expect(list(row, new Date('2027-01-16T00:59:59.999Z')).status).toBe('open');
  expect(list(row, new Date('2027-01-16T01:00:00.000Z')).status).toBe('in_play');
});

test('a market keeps its venue names and the venue’s general terms', () => {
  const [row] = USABLE;
  if (row === undefined) throw new Error('no fixture');
  const { id, conditionId, venueId, slug, event, terms, lot } = list(row);
  expect([id, conditionId, venueId, slug]).toEqual([
    row.gamma['conditionId'],
    row.gamma['conditionId'],
    row.gamma['id'],
    row.gamma['slug'],
  ]);
  expect(event).toEqual({ id: '800001', slug: 'invented-event-1', title: 'Invented event 1' });
  expect([terms?.minNotional, terms?.minShares, terms?.clearsBookAtStart]).toEqual([ONE, 5n * ONE, true]);
  expect(lot).toBe(ONE / 100n);
});

describe('The winner of a soccer game', () => {
  const rows = ROWS.filter(({ name }) => name.includes('three-way soccer, epl'));
  const named = (row: Row, slug: string) => list({ ...row, gamma: { ...row.gamma, slug } });

  test.each([
    ['epl-ars-che-2027-01-23-ars', 'home'],
    ['epl-ars-che-2027-01-23-draw', 'draw'],
    ['epl-ars-che-2027-01-23-che', 'away'],
    ['epl-ars-che-2027-01-23-liv', null],
    ['who-wins', null],
  ])('is listed for %s as %s, in the set of its game', (slug, role) => {
    const [row] = rows;
    if (row === undefined) throw new Error('a fixture of a soccer game is there');
    const market = named(row, slug);
    expect([market.role, market.exclusiveSet]).toEqual([role, market.event?.id]);
  });

  test('is one of a set, and no other game is', () => {
    const [two] = ROWS.filter(({ gamma, expect: { refused } }) => gamma['negRisk'] !== true && refused === undefined);
    if (two === undefined) throw new Error('a fixture of another game is there');
    expect(list(two)).toMatchObject({ role: null, exclusiveSet: null });
  });
});
