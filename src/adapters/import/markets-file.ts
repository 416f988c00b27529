import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { DomainError } from '../../core/errors.js';
import type { FeeSchedule } from '../../core/market/fee.js';
import type { Payout } from '../../core/market/lifecycle.js';
import type { Market } from '../../core/market/market.js';
import type { ImportedMarket } from '../../ports/importer.js';
import { momentField } from '../tape/fields.js';
import { marketLine, payoutField } from '../tape/market-line.js';
import { ImportRefused } from './import-refused.js';

/** The result of a market, and when it was known. */
export interface ImportedResult {
  readonly at: Date;
  readonly payout: Payout;
}

const withClose = v.looseObject({ closed_at: v.optional(v.nullable(momentField), null) });
const result = v.strictObject({ market_id: v.string(), at: momentField, payout: payoutField });

/**
 * Markets as a file describes them, one JSON object a line, or one list: as a `market` line of a tape has them, with `closed_at` if it
 * is known, as Polymarket's Gamma answers, or as Kalshi does: then with the answers about its event and its series.
 * @throws ImportRefused with the file and the line
 */
export async function readMarkets(path: string): Promise<readonly ImportedMarket[]> {
  const found = new Map<string, ImportedMarket>();
  const objects = await objectsOf(path);
  const ofKalshi = objects.filter(({ value }) => isAnswerOfKalshi(value));
  const described = ofKalshi.length === 0 ? [] : await marketsOfKalshi(path, ofKalshi);
  for (const { value, line } of objects)
    if (!isAnswerOfKalshi(value)) described.push([await marketOf(value, path, line), line]);
  for (const [market, line] of described) {
    const { id, outcomes } = market.market;
    if (outcomes === null) throw new ImportRefused(path, `says nothing of the outcomes of ${id}`, line);
    const before = found.get(id);
    if (before !== undefined && before.market.outcomes?.[0].tokenId !== outcomes[0].tokenId)
      throw new ImportRefused(path, `gives ${id} two pairs of outcomes: keep the right one`, line);
    found.set(id, market);
  }
  return [...found.values()];
}

/** A market, and the line that describes it; null where several do together. */
type DescribedMarket = readonly [ImportedMarket, line: number | null];

const KALSHI_MEMBERS = ['market', 'markets', 'event', 'events', 'series', 'milestones', 'event_ticker'];

/** A line of a tape has an event too, and its lot. */
const isAnswerOfKalshi = (value: object): boolean =>
  !('lot' in value) && !('clobTokenIds' in value) && KALSHI_MEMBERS.some((member) => member in value);

/** A market of it is described by several answers together: its event and its series stand in others. */
async function marketsOfKalshi(path: string, answers: readonly JsonObject[]): Promise<DescribedMarket[]> {
  const { archivedKalshiMarkets } = await import('../kalshi/index.js');
  try {
    return archivedKalshiMarkets(answers.map(({ value }) => value)).map((market) => [market, null]);
  } catch (error) {
    throw undescribed(error, path, null);
  }
}

async function marketOf(value: object, path: string, line: number): Promise<ImportedMarket> {
  try {
    if ('clobTokenIds' in value) {
      const { archivedMarket } = await import('../polymarket/index.js');
      return { ...archivedMarket(value), resolvedAt: null };
    }
    const { closed_at } = checked(withClose, value);
    const { closed_at: _, ...described } = value as { closed_at?: unknown };
    return { market: checked(marketLine, described), closedAt: closed_at, resolvedAt: null };
  } catch (error) {
    throw undescribed(error, path, line);
  }
}

function undescribed(error: unknown, path: string, line: number | null): unknown {
  if (!(error instanceof DomainError || error instanceof TypeError)) return error;
  return new ImportRefused(path, `describes no market that can be imported: ${error.message}`, line);
}

function checked<Out>(schema: v.GenericSchema<unknown, Out>, value: unknown): Out {
  const read = v.safeParse(schema, value, { abortEarly: true });
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new TypeError(`${v.getDotPath(issue) ?? 'it'}: ${issue.message}`);
}

/** Results by market: `{"market_id":…,"at":…,"payout":["1","0"]}` a line. @throws ImportRefused with the file and the line */
export async function readResults(path: string): Promise<ReadonlyMap<string, ImportedResult>> {
  const found = new Map<string, ImportedResult>();
  for (const { value, line } of await objectsOf(path)) {
    try {
      const { market_id, at, payout } = checked(result, value);
      if (found.has(market_id)) throw new TypeError(`gives ${market_id} a second result`);
      found.set(market_id, { at, payout });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new ImportRefused(path, `is no result: ${error.message}`, line);
    }
  }
  return found;
}

/** An object of a file, and its line. */
interface JsonObject {
  readonly value: object;
  readonly line: number;
}

/** Objects of a file, which is one list of them or has one a line. */
async function objectsOf(path: string): Promise<readonly JsonObject[]> {
  const text = await readFile(path, 'utf8');
  if (text.trimStart().startsWith('[')) {
    const list: unknown = parsed(text, path, 1);
    return (list as readonly unknown[]).map((value) => ({ value: asObject(value, path, 1), line: 1 }));
  }
  return text.split('\n').flatMap((one, at) => {
    if (one.trim() === '') return [];
    return [{ value: asObject(parsed(one, path, at + 1), path, at + 1), line: at + 1 }];
  });
}

function parsed(text: string, path: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ImportRefused(path, 'is not JSON: one object a line, or one list of them', line);
  }
}

function asObject(value: unknown, path: string, line: number): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ImportRefused(path, 'is not a JSON object', line);
}

/**
 * The market as trading in it began, with a fee where it has none.
 * @throws ImportRefused where its terms or its fee are not known
 */
export function atTheBeginning({ market }: ImportedMarket, rate: bigint | null, asOf: Date): Market {
  const { terms, id } = market;
  if (terms === null)
    throw new ImportRefused(
      null,
      `the terms of ${id} are not known: give its tick and least size in the file of --meta`,
    );
  const fee: FeeSchedule | null = terms.fee ?? (rate === null ? null : { rate, exponent: 1, takerOnly: true, asOf });
  if (fee === null)
    throw new ImportRefused(
      null,
      `the fee of ${id} is not known: give it in the file of --meta, or for all such markets with --fee 0.05`,
    );
  return { ...market, status: 'open', payout: null, terms: { ...terms, fee: { ...fee, asOf }, acceptingOrders: true } };
}
