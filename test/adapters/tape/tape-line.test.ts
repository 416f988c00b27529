import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  headerText,
  lineText,
  RECORDED,
  readHeader,
  readLine,
  type TapeSource,
} from '../../../src/adapters/tape/tape-line.js';
import type { MarketId } from '../../../src/core/ids.js';
import { EVIDENCE } from '../../../src/core/market/event.js';
import type { FeeRounding, FeeSchedule } from '../../../src/core/market/fee.js';
import { MARKET_STATUSES, NO_WON, SPLIT, YES_WON } from '../../../src/core/market/lifecycle.js';
import type { Market, MarketTerms } from '../../../src/core/market/market.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import type { Price, Shares, Usdc } from '../../../src/core/money.js';
import { HEADER, RAIN, START } from './tapes.js';

const text = fc.string({ unit: 'grapheme' });
const nullableText = fc.option(text);
const date = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z') });
const name = fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/);
const price = fc.bigInt(1n, 999_999n).map((micro) => micro as Price);
const amount = fc.bigInt(0n, 999_999_999_999_999n);
const shares = amount.map((micro) => micro as Shares);
const level = fc.record({ price, shares });
const micros = fc.bigInt(1n, 999_999n);
const outcome = fc.record({ label: text, tokenId: name });

const rounding: fc.Arbitrary<FeeRounding> = fc.record(
  { step: micros, to: fc.constantFrom('nearest', 'up'), each: fc.constant('fill'), balanceStep: micros },
  { requiredKeys: ['step', 'to', 'each'] },
);
const fee: fc.Arbitrary<FeeSchedule> = fc.record(
  {
    rate: fc.bigInt(0n, 999_999n),
    exponent: fc.integer({ min: 0, max: 4 }),
    takerOnly: fc.boolean(),
    asOf: date,
    rounding,
  },
  { requiredKeys: ['rate', 'exponent', 'takerOnly', 'asOf'] },
);
const known: fc.Arbitrary<MarketTerms> = fc.record({
  tick: price,
  minShares: shares,
  minNotional: amount.map((micro) => micro as Usdc),
  fee: fc.option(fee),
  negRisk: fc.boolean(),
  acceptingOrders: fc.boolean(),
  delaySeconds: fc.nat(86_400),
  clearsBookAtStart: fc.boolean(),
  gtdLeadMs: fc.nat(),
  quoteStep: micros.map((micro) => micro as Usdc),
});
const terms = fc
  .tuple(known, fc.boolean())
  .map(([all, nets]): MarketTerms => ({ ...all, ...(nets && { netsOutcomes: true }) }));
const id = name.map((known) => known as MarketId);
const status = fc.option(fc.constantFrom(...MARKET_STATUSES));
const facts = fc.record({
  id,
  venueId: fc.option(name),
  slug: nullableText,
  question: nullableText,
  outcomes: fc.option(fc.tuple(outcome, outcome)),
  event: fc.option(fc.record({ id: name, slug: nullableText, title: nullableText })),
  sport: nullableText,
  league: nullableText,
  kind: fc.option(fc.constantFrom('moneyline' as const, 'spread' as const, 'total' as const, 'other' as const)),
  line: nullableText,
  role: fc.constantFrom('home' as const, 'away' as const, 'draw' as const, null),
  exclusiveSet: fc.option(name),
  startsAt: fc.option(date),
  status,
  lot: fc.bigInt(1n, 999_999_999_999_999n).map((micro) => micro as Shares),
  terms: fc.option(terms),
});
const market: fc.Arbitrary<Market> = fc
  .tuple(facts, fc.boolean(), fc.option(fc.constantFrom(YES_WON, NO_WON, SPLIT)))
  .map(([known, isCondition, payout]) => ({
    ...known,
    venue: NO_VENUE,
    conditionId: isCondition ? known.id : null,
    payout: known.status === 'resolved' || known.status === 'amended' ? payout : null,
  }));
const side = fc.constantFrom('bids' as const, 'asks' as const);
const change = fc.oneof(
  fc.record({ type: fc.constant('book' as const), bids: fc.array(level), asks: fc.array(level) }),
  fc.record({ type: fc.constant('levels' as const), changes: fc.array(fc.record({ side, price, shares })) }),
  fc.record({
    type: fc.constant('trade' as const),
    price,
    shares,
    taker: fc.constantFrom('BUY' as const, 'SELL' as const),
  }),
  fc.record({ type: fc.constant('mid' as const), price }),
  fc.record({ type: fc.constant('tick' as const), tick: price }),
  fc.record({
    type: fc.constant('tick' as const),
    tick: price,
    bands: fc.array(fc.record({ from: price, step: price })),
  }),
  fc.record({ type: fc.constant('gap' as const), reason: text }),
);

const TERMS = {
  tick: '0.01',
  min_shares: '5',
  min_notional: '1',
  fee: null,
  neg_risk: false,
  accepting_orders: true,
  delay_seconds: 0,
  clears_book_at_start: true,
};

describe('A line of a tape', () => {
  it('gives back exactly the change that was written', () => {
    fc.assert(
      fc.property(date, id, change, (at, marketId, written) => {
        const line = { at, type: 'change', marketId, change: written } as const;
        expect(readLine(lineText(line))).toEqual(line);
      }),
    );
  });

  it('gives back exactly the market that was written', () => {
    fc.assert(
      fc.property(date, market, (at, described) => {
        const change = { type: 'market', market: described } as const;
        const line = { at, type: 'change', marketId: described.id, change } as const;
        expect(readLine(lineText(line))).toEqual(line);
      }),
    );
  });

  it.each([
    ['a member that the format does not know', '{"t":1,"m":"a","tick":"0.01","mood":1}', /mood/],
    ['two things at once', '{"t":1,"m":"a","tick":"0.01","gap":"x"}', /gap/],
    ['nothing', '{"t":1,"m":"a"}', /alive/],
    ['a price as a number', '{"t":1,"m":"a","tick":0.01}', /tick/],
    ['a mid of 1', '{"t":1,"m":"a","mid":"1"}', /mid: must be above 0 and below 1/],
    ['a price of 1', '{"t":1,"m":"a","trade":["1","5","BUY"]}', /trade\.0: must be above 0 and below 1/],
    ['a seventh decimal', '{"t":1,"m":"a","levels":[["bids","0.5","1.0000001"]]}', /levels\.0\.2: .*6 decimals/],
    ['an invalid side', '{"t":1,"m":"a","levels":[["bid","0.5","1"]]}', /levels\.0\.0/],
    ['a level with more to it', '{"t":1,"m":"a","book":{"bids":[["0.5","1","2"]],"asks":[]}}', /bids\.0/],
    ['a fraction of a millisecond', '{"t":1.5,"alive":true}', /^t:/],
    ['text that is not JSON', '{"t":1', /not JSON/],
    ['a list', '[]', /not a JSON object/],
    ['an id that no cursor could hold', '{"t":1,"m":"a b","tick":"0.01"}', /^m: must be 1 to 128 letters, digits and/],
    [
      'a moment after which none fits',
      '{"t":8640000000000000,"alive":true}',
      /^t: must be a moment before the year 10000/,
    ],
    ['an unknown member of many words', '{"t":1,"alive":true,"a \\u001b[2J":0}', /^"a \\u001b\[2J": /],
  ])('is refused with %s', (_what, read, reason) => {
    expect(() => readLine(read)).toThrow(reason);
  });

  const written = JSON.parse(
    lineText({ at: new Date(1), type: 'change', marketId: RAIN.id, change: { type: 'market', market: RAIN } }),
  );
  const changed = (more: object) => JSON.stringify({ ...written, market: { ...written.market, ...more } });

  it.each([
    ['a member too many', { mood: 1 }, /market\.mood/],
    ['a payout that no market can have', { payout: ['0.7', '0.4'] }, /market\.payout: must be two amounts/],
    ['a payout before there is a result', { payout: ['1', '0'] }, /market: has a payout but a status without a result/],
    ['half a moment', { starts_at: '2026-03-01' }, /market\.starts_at: must be a moment/],
    ['a moment far out', { starts_at: '+010000-01-01T00:00:00.000Z' }, /market\.starts_at: must be a moment/],
    ['another condition than its own', { condition_id: '0xsnow' }, /market: id and condition_id must be the same/],
    ['a number that no cursor could hold', { venue_id: '7/8' }, /market\.venue_id: must be 1 to 128 letters/],
    ['a delay without an end', { terms: { ...TERMS, delay_seconds: 1e300 } }, /market\.terms\.delay_seconds: /],
    ['a lot of nothing', { lot: '0' }, /market\.lot: must be above 0/],
  ])('is refused for a market with %s', (_what, more, reason) => {
    expect(() => readLine(changed(more))).toThrow(reason);
  });

  it('gives text without lone surrogates or control characters', () => {
    const outcomes = [
      { label: 'Bu\ud83dcks', token_id: '1' },
      { label: '🐗 élan', token_id: '2' },
    ];
    const line = readLine(changed({ question: 'who\u0000 wins\u001b[2J\u0085?', outcomes }));
    expect(line).toMatchObject({
      change: {
        market: { question: 'who� wins�[2J ?', outcomes: [{ label: 'Bu�cks' }, { label: '🐗 élan' }] },
      },
    });
    expect(readLine('{"t":1,"m":"a","gap":"\\u0007bell"}')).toMatchObject({ change: { reason: '�bell' } });
  });
});

describe('The first line', () => {
  const began = { recordedAt: new Date(START), venue: 'test' };
  const bought: TapeSource = {
    evidence: 'snapshots',
    vendor: 'pmxt',
    version: 'v2',
    licence: 'CC BY 4.0',
    clock: 'source',
    metadata: 'as_of_now',
  };

  it('gives back the venue, the moment and the source that were written', () => {
    for (const evidence of EVIDENCE) {
      const header = { ...began, source: { ...bought, evidence } };
      expect(readHeader(headerText(header))).toEqual({ version: 2, ...header });
    }
  });

  it('of version 1 means whole books and trades of the recorder', () => {
    expect(readHeader(HEADER)).toEqual({ version: 1, ...began, source: RECORDED });
    expect(RECORDED).toMatchObject({ evidence: 'l2', vendor: 'stakeport', clock: 'received', metadata: 'as_of_then' });
  });

  it('refuses a later version in words', () => {
    const later = '{"stakeport_tape":3,"recorded_at":"x","venue":"v","more":1}';
    expect(() => readHeader(later)).toThrow(
      'the tape is of version 3, and the newest that can be played is 2: update stakeport',
    );
  });

  const told = JSON.parse(headerText({ ...began, source: bought }));
  it.each([
    ['no source', { source: undefined }, /source/],
    ['a class that nobody knows', { source: { ...told.source, evidence: 'l3' } }, /source\.evidence/],
    ['a vendor without a name', { source: { ...told.source, vendor: '' } }, /source\.vendor/],
    ['a member too many', { source: { ...told.source, mood: 1 } }, /source\.mood/],
    ['a source in version 1', { stakeport_tape: 1 }, /source/],
  ])('is refused with %s', (_what, more, reason) => {
    expect(() => readHeader(JSON.stringify({ ...told, ...more }))).toThrow(reason);
  });

  it.each(['{"stakeport_tape":"1","recorded_at":"2026-03-01T12:00:00.000Z","venue":"v"}', '{"t":1,"alive":true}'])(
    'refuses what is not a tape: %s',
    (read) => {
      expect(() => readHeader(read)).toThrow(/stakeport_tape/);
    },
  );
});
