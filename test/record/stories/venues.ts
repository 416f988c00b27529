import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/build.js';
import type { FakePolymarketRest } from '../../support/fake-polymarket/rest.js';
import { game, linesOf, TERMS, tapeOfMarkets } from '../games.js';
import { type Fixture, ORDERS } from './fixture.js';

type Json = Readonly<Record<string, unknown>>;

/** A market in the records of the venue. */
interface Listed {
  readonly name: string;
  readonly gamma: Json;
  readonly clob?: { readonly compact?: Json; readonly full?: Json };
}

/** The moment at which these markets are as their names say. */
export const LISTED_AT = Date.parse('2027-01-10T12:00:00.000Z');

/** One for each status, for each result, and for what makes a market unusable. */
const LISTED = [
  'two teams, nba, with both records of the CLOB',
  'three-way soccer, la-liga, home',
  'kind totals',
  'tick 0.0025',
  'start from the CLOB',
  'start soon',
  'fee 0.03',
  'fee on which the sources disagree',
  'delay of the CLOB',
  "resolved ['1', '0']",
  "resolved ['1', '0'] by Gamma alone",
  "resolved ['0', '1'], the CLOB says the other",
  'void, half each',
  'proposed, open',
  'disputed',
  'closed, prices 1 and 0 but not resolved',
  'not accepting yet',
  'suspended',
  'acceptance not told',
  'live before its time',
  'game over, still accepting',
  'tick 0.02',
  'the same token id twice',
  'contract on which the sources disagree',
  'no order book',
];

/** What Polymarket says of its markets, as the server tells it. */
export async function listedMarkets({ transcript, api }: Fixture, venue: FakePolymarketRest): Promise<void> {
  transcript.step('Markets of Polymarket are read with their status, result and terms');
  const all = readFileSync(join(ROOT, 'test/fixtures/markets.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Listed);
  for (const words of LISTED) {
    const found = all.find(({ name }) => name.replace(/^\d+ /, '') === words);
    if (found === undefined) throw new Error(`There is no market named ${words}.`);
    const { gamma, clob } = found;
    venue.markets.push({
      gamma,
      ...(clob?.compact !== undefined && { compact: clob.compact }),
      ...(clob?.full !== undefined && { clob: clob.full }),
    });
    transcript.say(`(listed) ${words}`);
    await api.get(`/v1/exchange/markets/${gamma['slug']}`);
  }
  await api.get('/v1/exchange/markets?sport=basketball');
  await api.get('/v1/exchange/markets?prices=true&starts_after=2026-03-01T00:00:00Z&limit=2');
}

/** Orders where no market is known: they fill at their limit. */
export async function withoutMarketData({ transcript, api }: Fixture): Promise<void> {
  transcript.step('Without market data an order fills at its limit');
  const order = { market_id: 'will-it-rain', token: 'YES', price: 0.5, size_usdc: 50 };
  await api.post(ORDERS, order);
  await api.post(ORDERS, { ...order, side: 'SELL', price: 0.6, size_usdc: 30 });
  await api.get('/v1/portfolio');
}

/** With what those shares below bring, an account can hold no share more than is bought last. */
export const MUCH = '999999999.000992';
const RICH = Array.from({ length: 9 }, (_, n) =>
  game(`${n + 1}`, `rich-${n + 1}`, {}, { fee: { ...TERMS.fee, rate: '0' } }),
);

/** Markets in which a billion shares are offered for a cent, and win. */
export const richTape = (): string =>
  tapeOfMarkets(
    RICH,
    RICH.flatMap((market, n) => [
      linesOf(market).book(1, [], [['0.01', '999999999']]),
      ...(n < 8
        ? [linesOf(market).says(10 + 40 * Math.floor(n / 2), { status: 'resolved', payout: ['1', '0'], terms: null })]
        : []),
    ]),
    240,
  );

/** An account whose cash and shares come near to what can be stored: 2⁵³ millionths. */
export async function richAccount({ transcript, api, server }: Fixture): Promise<void> {
  transcript.step('No account holds more than can be stored');
  const buy = (market: Json | undefined, size: number) =>
    api.post(ORDERS, { market_id: market?.['slug'], token: 'YES', price: 0.01, size_usdc: size });
  await server.pass(2000);
  for (const [n, market] of RICH.slice(0, 8).entries()) {
    await buy(market, 9_999_999.99);
    if (n % 2 === 1) await server.pass(40_000);
  }
  for (const size of [871_992.6366, 871_992.6365]) await buy(RICH[8], size);
  await api.get('/v1/portfolio');
}
