import type { BookSide } from '../dist/index.js';
import type { FakeMarket } from '../test/support/fake-polymarket/rest.js';

/** Levels of a side. */
const LEVELS = 100;

type Json = Readonly<Record<string, unknown>>;

/** Token ids as long as the venue's. */
const tokens = (number: number) => [tokenOf(number, 1), tokenOf(number, 2)] as const;
const tokenOf = (number: number, outcome: number): string => `${outcome}${`${number}`.padStart(76, '0')}`;
const conditionOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

/** One market in the venue's own format, which accepts orders and whose game has not begun. */
export function aGame(number: number): FakeMarket {
  const [yes, no] = tokens(number);
  const id = conditionOf(number);
  const gamma: Json = {
    id: `${9_000_000 + number}`,
    slug: `bench-${number}`,
    conditionId: id,
    question: `Who wins game ${number}?`,
    outcomes: '["Otters", "Herons"]',
    clobTokenIds: JSON.stringify([yes, no]),
    outcomePrices: '["0.5", "0.5"]',
    closed: false,
    acceptingOrders: true,
    acceptingOrdersTimestamp: '2020-01-01T00:00:00Z',
    enableOrderBook: true,
    orderPriceMinTickSize: 0.001,
    orderMinSize: 5,
    negRisk: false,
    feesEnabled: true,
    feeSchedule: { exponent: 1, rate: 0.05, takerOnly: true },
    sportsMarketType: 'moneyline',
    gameStartTime: '2099-01-01 00:00:00+00',
    umaResolutionStatuses: '[]',
    events: [{ id: `${800_000 + number}`, slug: `event-${number}`, title: `Game ${number}`, seriesSlug: 'nba-2099' }],
  };
  const compact: Json = {
    c: id,
    t: [{ t: yes }, { t: no }],
    mts: 0.001,
    mos: 5,
    ao: true,
    fd: { r: 0.05, e: 1, to: true },
  };
  const clob: Json = {
    condition_id: id,
    market_slug: `bench-${number}`,
    closed: false,
    accepting_orders: true,
    neg_risk: false,
    minimum_tick_size: 0.001,
    minimum_order_size: 5,
    is_50_50_outcome: false,
    tokens: [yes, no].map((token_id) => ({ token_id, winner: false })),
  };
  return { gamma, compact, clob };
}

/** The books of both tokens of a market, by token. */
export function booksOf(number: number): [string, object][] {
  const market = conditionOf(number);
  const [yes, no] = tokens(number);
  const book = (token: string): [string, object] => {
    const head = { event_type: 'book', asset_id: token, market, timestamp: '1000', hash: '0xb00c' };
    return [token, { ...head, bids: side('bids', number), asks: side('asks', number), tick_size: '0.001' }];
  };
  return [book(yes), book(no)];
}

function side(name: BookSide, number: number): Json[] {
  return Array.from({ length: LEVELS }, (_, step) => {
    const price = name === 'bids' ? 499 - step : 501 + step;
    return { price: `0.${price}`, size: `${100 + ((7 * number + 13 * step) % 5000)}.25` };
  });
}
