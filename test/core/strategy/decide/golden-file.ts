import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { MarketId } from '../../../../src/core/ids.js';
import type { BookView } from '../../../../src/core/market/book.js';
import type { Level } from '../../../../src/core/market/event.js';
import type { FeeSchedule } from '../../../../src/core/market/fee.js';
import type { Market } from '../../../../src/core/market/market.js';
import { ONE, type Price, type Shares, type Usdc } from '../../../../src/core/money.js';
import type { Probability } from '../../../../src/core/signal/signal.js';
import type { BetInputs, BetsMade, Estimate, SetMember } from '../../../../src/core/strategy/conditions/candidate.js';
import type { TradingRules } from '../../../../src/core/strategy/rules/trading-rules.js';
import { aStrategy } from '../../../support/builders.js';
import { FREE } from '../../../support/scripted-market.js';
import { aGame, inMs, NOW } from './view.js';

type Levels = readonly (readonly [price: number, shares: number])[];

interface Member {
  readonly id: string;
  readonly role: Market['role'];
  readonly fee: { readonly rate: number; readonly exponent: number; readonly rounding?: Rounding } | null;
  readonly accepting: boolean;
  readonly quoteStep: number | null;
  readonly minShares: number;
  readonly minNotional: number;
  readonly lot: number;
  readonly book: {
    readonly bids: Levels;
    readonly asks: Levels;
    readonly ageMs: number;
    readonly fresh: boolean;
  } | null;
  readonly estimate: readonly [probability: number, expiresInMs: number] | null;
}

interface Rounding {
  readonly step: number;
  readonly to: 'nearest' | 'up';
  readonly each: 'fill' | 'order';
}

interface Game extends Member {
  readonly others: readonly Member[];
  readonly sport: string | null;
  readonly league: string | null;
  readonly kind: Market['kind'];
  readonly set: string | null;
  readonly event: Market['event'];
  readonly question: string;
  readonly labels: readonly [string, string];
  readonly status: Market['status'];
  readonly startsMs: number | null;
  readonly delay: number;
  readonly outcome: BetInputs['outcome'];
  readonly held: number;
  readonly committed: number;
  readonly freeCash: number;
  readonly limits: readonly (readonly [string, number | null])[];
  readonly venueMaximum: number | null;
  readonly bets: Omit<BetsMade, 'lastAt'> & { readonly lastAgoMs: number | null };
  readonly benched: boolean;
  readonly firstPrice: number | null;
  readonly bankroll: number;
  readonly stakeCap: number;
  readonly paused: boolean;
}

/** A code, or what is bet: 0, limit, size, shares, cost, odds, edge, what bounds it. */
export type GoldenDecision = string | readonly [0, number, number, number, number, number, number | null, string];

const FILE = join(import.meta.dirname, '../../../fixtures/decisions/golden.jsonl.gz');

/** The games, the rule sets, and for each game the decisions of all rule sets, as the script beside the file wrote them. */
export function goldenFile() {
  const [games, sets, rows]: [Game[], TradingRules[], (readonly GoldenDecision[])[]] = [[], [], []];
  for (const line of gunzipSync(readFileSync(FILE)).toString().trimEnd().split('\n')) {
    const read = JSON.parse(line);
    if ('game' in read) games.push(read.game);
    else if ('rules' in read) sets.push(rulesFrom(read.rules));
    else rows.push(read.decisions);
  }
  return { games, sets, rows };
}

/** Members that are micro-units; the others are counts, times and texts. */
const MICRO = new Set([
  'minOdds',
  'maxOdds',
  'minEdge',
  'maxSpread',
  'minLiquidity',
  'maxDrift',
  'maxOverround',
  'value',
  'referenceEdge',
  'maxSlippage',
]);

const rulesFrom = (read: object): TradingRules =>
  JSON.parse(JSON.stringify(read), (name, value) =>
    MICRO.has(name) && typeof value === 'number' ? BigInt(value) : value,
  );

const orNull = <T extends bigint>(micro: number | null): T | null => (micro === null ? null : (BigInt(micro) as T));

const levelsOf = (levels: Levels): readonly Level[] =>
  levels.map(([price, shares]) => ({ price: BigInt(price) as Price, shares: BigInt(shares) as Shares }));

const bookOf = (book: Member['book']): BookView | null =>
  book === null
    ? null
    : { bids: levelsOf(book.bids), asks: levelsOf(book.asks), at: inMs(-book.ageMs), fresh: book.fresh };

const feeOf = (fee: NonNullable<Member['fee']>): FeeSchedule => ({
  ...FREE,
  rate: BigInt(fee.rate),
  exponent: fee.exponent,
  ...(fee.rounding !== undefined && { rounding: { ...fee.rounding, step: BigInt(fee.rounding.step) } }),
});

function memberFrom(read: Member, changes: Partial<Market> = {}): SetMember {
  const game = aGame({}, { id: read.id as MarketId, role: read.role, lot: BigInt(read.lot) as Shares, ...changes });
  if (game.terms === null) throw new RangeError('a game has terms');
  const { quoteStep: _, ...bare } = game.terms;
  const terms = {
    ...bare,
    fee: read.fee === null ? null : feeOf(read.fee),
    acceptingOrders: read.accepting,
    minShares: BigInt(read.minShares) as Shares,
    minNotional: BigInt(read.minNotional) as Usdc,
    ...(read.quoteStep !== null && { quoteStep: BigInt(read.quoteStep) as Usdc }),
  };
  return { market: { ...game, terms }, book: bookOf(read.book), estimate: estimateOf(read, game, 'YES') };
}

/** The file has the probability of one outcome. */
function estimateOf({ estimate }: Member, { outcomes }: Market, outcome: BetInputs['outcome']): Estimate | null {
  if (estimate === null || outcomes === null) return null;
  const [probability, expiresInMs] = [BigInt(estimate[0]) as Probability, inMs(estimate[1])];
  const complement = (ONE - probability) as Probability;
  const [first, second] = outcome === 'YES' ? [probability, complement] : [complement, probability];
  return {
    first: { label: outcomes[0].label, probability: first },
    expiresAt: expiresInMs,
    second: { label: outcomes[1].label, probability: second },
  };
}

/** The inputs of one game, without the rules. */
export function inputsFrom(game: Game): Omit<BetInputs, 'rules'> {
  const { sport, league, kind, event, question, status, startsMs, labels, bets } = game;
  const [first, second] = labels.map((label) => ({ label, tokenId: label })) as [Outcome, Outcome];
  const { lastAgoMs, ...counts } = bets;
  const own = memberFrom(game, {
    sport,
    league,
    kind,
    event,
    question,
    status,
    slug: null,
    exclusiveSet: game.set,
    outcomes: [first, second],
    startsAt: startsMs === null ? null : inMs(startsMs),
  });
  const terms = own.market.terms === null ? null : { ...own.market.terms, delaySeconds: game.delay };
  return {
    ...own,
    estimate: estimateOf(game, own.market, game.outcome),
    market: { ...own.market, terms },
    outcome: game.outcome,
    now: NOW,
    benched: game.benched,
    strategy: aStrategy({ bankrollCap: micro(game.bankroll), stakeCap: micro(game.stakeCap), isPaused: game.paused }),
    others: game.others.map((other) => memberFrom(other, { exclusiveSet: game.set })),
    held: BigInt(game.held) as Shares,
    committed: micro(game.committed),
    freeCash: micro(game.freeCash),
    limitsLeft: game.limits.map(([name, left]) => ({ name, left: orNull<Usdc>(left) })),
    venueMaximum: orNull<Usdc>(game.venueMaximum),
    firstPrice: orNull<Price>(game.firstPrice),
    bets: { ...counts, lastAt: lastAgoMs === null ? null : inMs(-lastAgoMs) },
  };
}

type Outcome = NonNullable<Market['outcomes']>[0];

const micro = (amount: number): Usdc => BigInt(amount) as Usdc;
