import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountId, OrderId } from '../../../src/core/ids.js';
import type { BookSide, Level, MarketChange } from '../../../src/core/market/event.js';
import type { Market, OutcomeSide, TimeInForce } from '../../../src/core/market/market.js';
import type { Side } from '../../../src/core/market/side.js';
import { Matcher } from '../../../src/core/matching/matcher.js';
import { formatMicro } from '../../../src/core/money.js';
import type { Report } from '../../../src/ports/exchange.js';
import { ROOT } from '../../support/build.js';
import { price, shares, usdc } from '../../support/builders.js';
import { aFee, anOpenMarket, anOrder, at, sinceNoon } from './view.js';

/** Shares at each price, all as decimal text. */
type Levels = Readonly<Record<string, string>>;

/** What a row says of the market; what is absent is as in `anOpenMarket`. */
interface MarketWords {
  readonly tick?: string;
  readonly minShares?: string;
  readonly minNotional?: string;
  readonly fee?: { readonly rate: string; readonly exponent?: number; readonly takerOnly?: boolean };
  readonly delaySeconds?: number;
  /** Null is not known. */
  readonly startsAt?: number | null;
  readonly clearsBookAtStart?: boolean;
  readonly acceptingOrders?: boolean;
  readonly status?: 'closed' | 'open' | 'in_play';
  readonly latencyMs?: number;
}

interface OrderWords {
  readonly id: string;
  readonly account?: string;
  readonly outcome?: OutcomeSide;
  readonly side: Side;
  readonly price: string;
  readonly shares: string;
  readonly tif?: TimeInForce;
  readonly expiresAt?: number;
  readonly postOnly?: boolean;
  /** Dollars that a purchase spends. */
  readonly spends?: string;
}

/** Something that happens so many milliseconds after noon; a step with `at` alone lets time pass. */
interface Step {
  readonly at: number;
  readonly book?: Readonly<Record<BookSide, Levels>>;
  readonly levels?: Partial<Readonly<Record<BookSide, Levels>>>;
  readonly trade?: { readonly taker: Side; readonly price: string; readonly shares: string };
  readonly tick?: string;
  readonly market?: MarketWords;
  readonly gap?: string;
  readonly order?: OrderWords;
  readonly cancel?: string;
}

/** One row of `test/fixtures/matching.jsonl`; its README explains the columns. */
export interface Row {
  readonly name: string;
  readonly market: MarketWords;
  readonly steps: readonly Step[];
  readonly expect: Readonly<Record<string, readonly string[]>>;
  readonly comment: string;
}

export function matchingRows(file = 'matching.jsonl'): Row[] {
  const lines = readFileSync(join(ROOT, 'test/fixtures', file), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}

/** Plays a row, and returns the reports of each order in the words of the fixture. */
export function played({ market: words, steps }: Row): Record<string, string[]> {
  const reported: Record<string, string[]> = {};
  const matcher = new Matcher(marketOf(words), words.latencyMs ?? 0, at(0));
  for (const step of steps) {
    if (step.order !== undefined) reported[step.order.id] = [];
    take(matcher, step, words);
    for (const { order, reports } of matcher.drain()) reported[order.id]?.push(...reports.map(inWords));
  }
  return reported;
}

function take(matcher: Matcher, step: Step, words: MarketWords): void {
  const now = at(step.at);
  const change = changeOf(step, words);
  if (change !== null) matcher.apply({ ...change, at: now });
  if (step.order !== undefined) matcher.enter(anOrder(askOf(step.order), marketOf(words), now));
  if (step.cancel !== undefined) matcher.cancel(step.cancel as OrderId, now);
  matcher.advance(now);
}

function changeOf({ book, levels, trade, tick, market, gap }: Step, words: MarketWords): MarketChange | null {
  if (book !== undefined) return { type: 'book', bids: levelsOf(book.bids), asks: levelsOf(book.asks) };
  if (levels !== undefined) {
    const side = (name: BookSide) => levelsOf(levels[name] ?? {}).map((level) => ({ side: name, ...level }));
    return { type: 'levels', changes: [...side('bids'), ...side('asks')] };
  }
  if (trade !== undefined) {
    return { type: 'trade', taker: trade.taker, price: price(trade.price), shares: shares(trade.shares) };
  }
  if (tick !== undefined) return { type: 'tick', tick: price(tick) };
  if (market !== undefined) return { type: 'market', market: marketOf({ ...words, ...market }) };
  return gap === undefined ? null : { type: 'gap', reason: gap };
}

function levelsOf(levels: Levels): Level[] {
  return Object.entries(levels).map(([at, size]) => ({ price: price(at), shares: shares(size) }));
}

function marketOf(words: MarketWords): Market {
  const { tick, minShares, minNotional, fee, startsAt, status = 'open', latencyMs: _, ...terms } = words;
  return anOpenMarket(
    {
      ...terms,
      ...(tick !== undefined && { tick: price(tick) }),
      ...(minShares !== undefined && { minShares: shares(minShares) }),
      ...(minNotional !== undefined && { minNotional: usdc(minNotional) }),
      ...(fee !== undefined && {
        fee: aFee(fee.rate, { exponent: fee.exponent ?? 1, takerOnly: fee.takerOnly ?? true }),
      }),
    },
    { status, startsAt: startsAt === undefined || startsAt === null ? null : at(startsAt) },
  );
}

function askOf({ tif = 'GTC', account = 'alice', expiresAt, ...words }: OrderWords) {
  const spends = words.spends === undefined ? null : usdc(words.spends);
  const amounts = { price: price(words.price), shares: shares(words.shares), spends };
  const ends = expiresAt === undefined ? null : at(expiresAt);
  return { ...words, ...amounts, account: account as AccountId, timeInForce: tif, expiresAt: ends };
}

function inWords(report: Report): string {
  const moment = sinceNoon(report.at);
  if (report.type === 'accepted') return `${moment} ${report.delayed ? 'delayed' : 'accepted'}`;
  if ('refusal' in report) return `${moment} ${report.type}: ${report.refusal.code}`;
  if ('reason' in report) return `${moment} ${report.type}: ${report.reason.split(':')[0]}`;
  const { shares, price, fee, liquidity, model } = report.execution;
  const money = `${formatMicro(shares)} @ ${formatMicro(price)} fee ${formatMicro(fee)}`;
  return `${moment} fill ${money} ${liquidity} ${model?.split(';')[0]}`;
}
