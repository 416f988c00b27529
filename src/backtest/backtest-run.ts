import type { Evidence } from '../core/market/event.js';
import type { Price, Usdc } from '../core/money.js';
import type { Order } from '../core/order/order.js';
import type { BetRow } from '../core/performance/bet.js';
import type { EquityReading } from '../core/performance/equity.js';
import type { DecisionRecord } from '../core/strategy/record/decision-record.js';

/** A tape that was played. */
export interface RunTape {
  /** The name of the file, without its folder. */
  readonly name: string;
  /** Of the unpacked text, in hexadecimal. */
  readonly sha256: string;
  readonly from: Date;
  readonly to: Date;
  readonly markets: number;
  /** What its lines can prove; a recorded tape has whole books and trades: `l2`. */
  readonly evidence: Evidence;
}

/** What was played, by which everything that follows is fixed. */
export interface RunHeader {
  /** SHA-256 in hexadecimal of tapes, rules, limits, settings, seed and version. */
  readonly id: string;
  readonly tapes: readonly RunTape[];
  /** With its rules as in the body of `POST /v1/strategies`. */
  readonly strategies: readonly { readonly name: string; readonly rules: unknown }[];
  readonly cash: Usdc;
  readonly latencyMs: number;
  readonly seed: string;
  readonly together: boolean;
  readonly version: string;
  /** Of the markets that rules name: the part of their time in which their book was known, with 9 decimals, and how often it was lost. */
  readonly coverage: string;
  readonly gaps: number;
  /** True where the run was ended before its tapes were. */
  readonly partial: boolean;
  /** All other settings, as they were given: zone, from, to, limits. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Something that weakens what the run shows. */
export interface RunWarning {
  /** Such as `late_signals`. */
  readonly code: string;
  /** A sentence. */
  readonly detail: string;
}

/** What an account was worth at one moment, and its free and reserved cash. */
export interface CashReading extends EquityReading {
  readonly cash: Usdc;
}

/** What one strategy did, or, where the name is null, all of them. */
export interface PlayedStrategy {
  readonly strategy: string | null;
  /** In the order in which they were opened. */
  readonly bets: readonly BetRow[];
  /** Oldest first. */
  readonly orders: readonly Order[];
  /** None for a strategy that shared its account with others. */
  readonly marks: readonly CashReading[];
  /** Those of the account that it shared. */
  readonly sharedMarks?: readonly CashReading[];
  readonly capital: Usdc;
  /** How often each reason kept it from betting. */
  readonly skips: ReadonlyMap<string, number>;
}

/** The price of an outcome before its event, and whether it won: for the calibration of the market. */
export interface MarketForecast {
  /** The mid ten minutes before the start, or before the end where no start is known. */
  readonly probability: Price;
  readonly won: boolean;
}

/** What a model said of an outcome by the moment of which `MarketForecast` has the price, and whether it won. */
export interface SignalForecast extends MarketForecast {
  /** The name by which rules ask for it. */
  readonly name: string;
}

/** All that a backtest found out. */
export interface BacktestRun {
  readonly header: RunHeader;
  readonly warnings: readonly RunWarning[];
  /** All together first, then each strategy by its name. */
  readonly played: readonly PlayedStrategy[];
  readonly markets: readonly MarketForecast[];
  readonly signals: readonly SignalForecast[];
  /** Bets and sales that strategies decided, and their remembered skips, in order. */
  readonly decisions: AsyncIterable<DecisionRecord> | Iterable<DecisionRecord>;
}
