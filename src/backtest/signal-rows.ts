import { CsvMalformed, csvRows } from '../adapters/http/csv.js';
import type { MarketId } from '../core/ids.js';
import type { Market } from '../core/market/market.js';
import { type Price, parseMicro } from '../core/money.js';
import { isProbability, LONGEST_SIGNAL_MS, SIGNAL_NAME_WORDS, signalNamed } from '../core/signal/signal.js';
import type { SaidOfMarket, SignalModel } from '../stakeport/signals.js';
import type { SignalForecast } from './backtest-run.js';
import type { JudgedForecast } from './market-record.js';

/** What a model said of an outcome, and since when that was known. */
export interface BacktestSignal {
  /** The name by which rules ask for it. */
  readonly name: string;
  /** The id, the slug or the number of the market. */
  readonly market: string;
  /** It is never used before; at this very millisecond it is. */
  readonly knownAt: Date;
  /** From then on it is never used; by default 30 days after it was known. */
  readonly expiresAt?: Date | null;
  /** The label of an outcome, in any case. */
  readonly outcome: string;
  /** Above 0 and below 1, with at most 6 decimals. */
  readonly probability: number | string;
}

/** A row of signals that cannot be read. */
export class SignalRowInvalid extends Error {
  constructor(row: number, words: string) {
    super(`row ${row} ${words}`);
    this.name = 'SignalRowInvalid';
  }
}

const COLUMNS = ['name', 'market_id', 'known_at', 'expires_at', 'outcome', 'probability'] as const;

type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], string>>>;

/**
 * The signals in a text of CSV with a line of names, or of JSON, one object a line. @throws SignalRowInvalid
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { readSignals } from 'stakeport/backtest';
 *
 * const signals = readSignals(readFileSync('model.csv', 'utf8')); // `signals` of `backtest`
 * console.log(signals[0]?.knownAt);
 * ```
 */
export function readSignals(text: string): readonly BacktestSignal[] {
  const rows = text.trimStart().startsWith('{') ? jsonRows(text) : tableRows(text);
  return rows.map((row, at) => signalOf(row, at + 1));
}

function jsonRows(text: string): readonly Row[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, at) => {
    try {
      const members = Object.entries(JSON.parse(line) as object).filter(([, value]) => value !== null);
      return Object.fromEntries(members.map(([name, value]) => [name, String(value)]));
    } catch {
      throw new SignalRowInvalid(at + 1, 'is not a JSON object');
    }
  });
}

function tableRows(text: string): readonly Row[] {
  try {
    const [names = [], ...rows] = csvRows(text);
    for (const column of COLUMNS)
      if (column !== 'expires_at' && !names.includes(column)) throw new SignalRowInvalid(0, `must name ${column}`);
    return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])));
  } catch (error) {
    if (error instanceof CsvMalformed) throw new SignalRowInvalid(0, error.message);
    throw error;
  }
}

function signalOf(
  { name = '', market_id: market = '', known_at, expires_at, outcome = '', probability = '' }: Row,
  row: number,
) {
  const moment = (column: string, text: string | undefined): Date => {
    const at = new Date(text ?? '');
    if (Number.isNaN(at.getTime()))
      throw new SignalRowInvalid(row, `must have a moment as ${column}, such as 2026-12-05T15:00:00Z`);
    return at;
  };
  const knownAt = moment('known_at', known_at);
  const expiresAt = expires_at === undefined || expires_at === '' ? null : moment('expires_at', expires_at);
  return checkedSignal({ name, market, knownAt, expiresAt, outcome, probability }, row);
}

/** The signal, if its members can be. @throws SignalRowInvalid */
export function checkedSignal(signal: BacktestSignal, row: number): BacktestSignal {
  if (signalNamed(signal.name) === undefined) throw new SignalRowInvalid(row, `must have as name ${SIGNAL_NAME_WORDS}`);
  if (signal.market === '' || signal.outcome === '')
    throw new SignalRowInvalid(row, 'must name a market and an outcome');
  if (!isShare(String(signal.probability)))
    throw new SignalRowInvalid(row, 'must have a probability above 0 and below 1, with at most 6 decimals');
  return signal;
}

function isShare(text: string): boolean {
  try {
    return isProbability(parseMicro(text));
  } catch {
    return false;
  }
}

/** What became of a signal: whether its model was asked before it was known, and whether it was used. */
interface Told {
  readonly signal: BacktestSignal;
  /** Of its market; null where that is not on the tapes. */
  readonly id: MarketId | null;
  wasAskedBefore: boolean;
  isUsed: boolean;
}

/** Answers as a model does, at each moment with what was known by then. */
export class SignalRows {
  /** By name and market, in the order in which they were known. */
  readonly #told = new Map<string, Told[]>();
  readonly #all: readonly Told[];

  /** @param idOf the id of a market by any of its names; null for one that is not on the tapes */
  constructor(
    signals: readonly BacktestSignal[],
    idOf: (name: string) => MarketId | null,
    private readonly now: () => Date,
  ) {
    this.#all = signals.map((signal) => ({ signal, id: idOf(signal.market), wasAskedBefore: false, isUsed: false }));
    for (const one of this.#all) {
      if (one.id === null) continue;
      const key = keyOf(one.signal.name, one.id);
      this.#told.set(key, [...(this.#told.get(key) ?? []), one]);
    }
    for (const own of this.#told.values()) own.sort((a, b) => a.signal.knownAt.getTime() - b.signal.knownAt.getTime());
  }

  /** The last signal that is known now. */
  readonly model: SignalModel = async ({ name, market }) => {
    const now = this.now();
    let last: Told | undefined;
    for (const one of this.#told.get(keyOf(name, market.id)) ?? []) {
      if (one.signal.knownAt <= now) last = one;
      else one.wasAskedBefore = true;
    }
    if (last === undefined) return undefined;
    last.isUsed = true;
    return saidBy(last.signal);
  };

  /** What each model said last of each market by the moment that counts there. */
  forecasts(judged: (id: MarketId) => JudgedForecast | null): readonly SignalForecast[] {
    return [...this.#told.values()].flatMap((rows): SignalForecast[] => {
      const [first] = rows;
      const known = first === undefined || first.id === null ? null : judged(first.id);
      if (known === null) return [];
      const { at, market, firstWon } = known;
      const last = rows.findLast(({ signal }) => signal.knownAt <= at)?.signal;
      if (last === undefined || saidBy(last).expiresAt <= at) return [];
      const labels = (market.outcomes ?? []).map(({ label }) => label.toLowerCase());
      const outcome = labels.indexOf(last.outcome.toLowerCase());
      if (outcome < 0) return [];
      const probability = parseMicro(String(last.probability)) as Price;
      return [{ name: last.name, probability, won: firstWon === (outcome === 0) }];
    });
  }

  /** The numbers of those that were asked for before they were known, and of those that were used. */
  get outcome(): { readonly asked: readonly number[]; readonly used: readonly number[] } {
    const those = (is: (one: Told) => boolean) => this.#all.flatMap((one, at) => (is(one) ? [at] : []));
    return { asked: those((one) => one.wasAskedBefore), used: those((one) => one.isUsed) };
  }
}

const keyOf = (name: string, market: string): string => `${name} ${market}`;

function saidBy({ outcome, probability, knownAt, expiresAt }: BacktestSignal): SaidOfMarket {
  return {
    probabilities: { [outcome]: probability },
    expiresAt: expiresAt ?? new Date(knownAt.getTime() + LONGEST_SIGNAL_MS),
  };
}

/** Finds the id of a market by any of its names. */
export function marketIds(markets: readonly Market[]): (name: string) => MarketId | null {
  const ids = new Map<string, MarketId>();
  for (const { id, slug, venueId } of markets) {
    for (const name of [venueId, slug]) if (name !== null) ids.set(name, id);
    ids.set(id, id);
  }
  return (name) => ids.get(name) ?? null;
}
