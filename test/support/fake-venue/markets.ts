import { createHash } from 'node:crypto';
import type { FakeMarket } from '../fake-polymarket/rest.js';
import { Book } from './book.js';
import { decimal, type Json, micro, ONE } from './wire.js';

/** The terms of a market; amounts as decimal texts. */
export interface MarketTerms {
  readonly conditionId: string;
  readonly tokens: readonly [string, string];
  readonly outcomes: readonly [string, string];
  readonly tick: string;
  readonly minSize: string;
  readonly negRisk: boolean;
  /** Share of p(1 − p) that a taker pays. */
  readonly feeRate: string;
  readonly delaySeconds: number;
  /** The records that tests of market data use; they give what the venue does not decide itself. */
  readonly record: FakeMarket;
}

const bytes = (text: string) => createHash('sha256').update(text).digest('hex');

/** An open market, another one for each name. */
export function aMarket(name = 'game', changes: Partial<MarketTerms> = {}): MarketTerms {
  return {
    conditionId: `0x${bytes(name)}`,
    tokens: [BigInt(`0x${bytes(`${name} first`)}`).toString(), BigInt(`0x${bytes(`${name} second`)}`).toString()],
    outcomes: ['Otters', 'Herons'],
    tick: '0.01',
    minSize: '5',
    negRisk: false,
    feeRate: '0',
    delaySeconds: 0,
    record: {},
    ...changes,
  };
}

/** The market of records that have the compact one. */
export function marketOf(record: FakeMarket): MarketTerms {
  const { compact = {}, gamma = {} } = record;
  const [first, second] = compact['t'] as readonly [Json, Json];
  const named = gamma['outcomes'] === undefined ? [first['o'], second['o']] : JSON.parse(String(gamma['outcomes']));
  return {
    conditionId: String(compact['c']),
    tokens: [String(first['t']), String(second['t'])],
    outcomes: [String(named[0]), String(named[1])],
    tick: String(compact['mts']),
    minSize: String(compact['mos']),
    negRisk: compact['nr'] === true,
    feeRate: String((compact['fd'] as Json | undefined)?.['r'] ?? 0),
    delaySeconds: Number(compact['sd'] ?? 0),
    record,
  };
}

/** One market of the venue in its current state. */
export class Market {
  readonly book = new Book();
  tick: bigint;
  accepting = true;
  closed = false;
  /** Whether orders that would match are delayed first, as in a live game. */
  delaying = false;
  /** The token that pays 1; `void` when both pay one half. */
  result: string | 'void' | null = null;
  lastPrice: bigint | null = null;

  constructor(readonly terms: MarketTerms) {
    this.tick = micro(terms.tick);
  }

  get conditionId(): string {
    return this.terms.conditionId;
  }

  get minSize(): bigint {
    return micro(this.terms.minSize);
  }

  outcomeOf(token: string): string {
    return this.terms.outcomes[this.terms.tokens[0] === token ? 0 : 1];
  }

  /** Dollars that a taker pays: at least 0.00001 when anything, five decimals (`polymarket.md` 3.5). */
  feeOf(shares: bigint, price: bigint): bigint {
    const exact = (shares * micro(this.terms.feeRate) * price * (ONE - price)) / (ONE * ONE * ONE);
    if (exact === 0n) return 0n;
    const rounded = ((exact + 5n) / 10n) * 10n;
    return rounded === 0n ? 10n : rounded;
  }

  /** `/clob-markets/{condition}` */
  compact(): Json {
    const { conditionId, tokens, outcomes, minSize, negRisk, feeRate, delaySeconds, record } = this.terms;
    return {
      c: conditionId,
      t: tokens.map((t, index) => ({ t, o: outcomes[index] })),
      mos: Number(minSize),
      ...(negRisk ? { nr: true } : {}),
      fd: { r: Number(feeRate), e: 1, to: true },
      sd: delaySeconds,
      ...record.compact,
      mts: Number(decimal(this.tick)),
      ao: this.accepting,
    };
  }

  /** `/markets/{condition}` */
  full(): Json {
    const { conditionId, tokens, outcomes, minSize, negRisk, delaySeconds, record } = this.terms;
    return {
      condition_id: conditionId,
      enable_order_book: true,
      active: true,
      minimum_order_size: Number(minSize),
      neg_risk: negRisk,
      seconds_delay: delaySeconds,
      game_start_time: null,
      ...record.clob,
      minimum_tick_size: Number(decimal(this.tick)),
      closed: this.closed,
      accepting_orders: this.accepting,
      is_50_50_outcome: this.result === 'void',
      tokens: tokens.map((token_id, index) => ({
        token_id,
        outcome: outcomes[index],
        price: this.#payout(token_id) ?? 0.5,
        winner: this.result === token_id,
      })),
    };
  }

  /** Gamma's record, when the market has one. */
  gamma(): Json | undefined {
    const { gamma } = this.terms.record;
    if (gamma === undefined) return undefined;
    const open = { ...gamma, orderPriceMinTickSize: Number(decimal(this.tick)), acceptingOrders: this.accepting };
    if (this.result === null) return { ...open, closed: this.closed };
    const prices = this.terms.tokens.map((token) => String(this.#payout(token)));
    return { ...open, closed: true, umaResolutionStatus: 'resolved', outcomePrices: JSON.stringify(prices) };
  }

  /** `/book`: the best level of each side comes last. */
  summary(token: string, now: number): Json {
    const rows = (levels: Map<bigint, bigint>, sign: bigint) =>
      [...levels]
        .sort(([one], [other]) => Number((one - other) * sign))
        .map(([price, size]) => ({ price: decimal(price), size: decimal(size) }));
    const sides = { bids: rows(this.book.levels(token, 'BUY'), 1n), asks: rows(this.book.levels(token, 'SELL'), -1n) };
    return {
      market: this.conditionId,
      asset_id: token,
      timestamp: `${now}`,
      hash: bytes(JSON.stringify(sides)).slice(0, 40),
      ...sides,
      min_order_size: this.terms.minSize,
      tick_size: decimal(this.tick),
      neg_risk: this.terms.negRisk,
      last_trade_price: this.lastPrice === null ? '' : decimal(this.lastPrice),
    };
  }

  #payout(token: string): number | undefined {
    if (this.result === 'void') return 0.5;
    return this.result === null ? undefined : Number(this.result === token);
  }
}
