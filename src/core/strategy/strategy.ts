import { type LiveGrant, NO_GRANT } from '../access/session.js';
import type { AccountId, StrategyId } from '../ids.js';
import { type ByDay, type OfDay, onDay, withDay } from '../limits/counted.js';
import type { Side } from '../market/side.js';
import { minus, NO_USDC, plus, type Usdc } from '../money.js';
import { completeRules, sameRules } from './rules/complete-rules.js';
import { DAY_COUNTERS, DAY_LIMITS, type DayCounter } from './rules/rule-members.js';
import type { Rules, RulesDraft } from './rules/rules.js';
import { checkAutomated } from './rules/rules-check.js';
import { type Automated, type Automation, NOT_AUTOMATED, withoutGrant } from './rules/trading-rules.js';

/** A client's request to make a strategy. */
export interface StrategyDraft {
  readonly name: string;
  readonly sport: string;
  readonly rules: RulesDraft;
  readonly bankrollCap: Usdc;
  readonly stakeCap: Usdc;
  readonly isPaused?: boolean;
  readonly paperOnly?: boolean;
  readonly automation?: Automation;
  readonly automationPaper?: boolean;
}

/** A client's request to change one; an absent member stays as it is. */
export interface StrategyPatch {
  readonly name?: string;
  readonly rules?: RulesDraft;
  readonly bankrollCap?: Usdc;
  readonly stakeCap?: Usdc;
  readonly isPaused?: boolean;
  readonly paperOnly?: boolean;
  readonly automation?: Automation;
  readonly automationPaper?: boolean;
}

/** One immutable version of a strategy. The highest is the strategy as it is now. */
export interface Strategy extends Automated {
  readonly id: StrategyId;
  readonly account: AccountId;
  /** 1 at creation, one more with every change. */
  readonly version: number;
  readonly name: string;
  readonly sport: string;
  readonly rules: Rules;
  /** The most money that may be at work at once, open and unsettled. */
  readonly bankrollCap: Usdc;
  /** The most money in one order. */
  readonly stakeCap: Usdc;
  readonly isPaused: boolean;
  /** Bars live trading, regardless of what an order requests. */
  readonly paperOnly: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly archivedAt: Date | null;
}

/** Money that a strategy has at work, paper and live separately: reserved by open orders, or in shares not yet settled. */
export interface Exposure {
  readonly account: AccountId;
  readonly strategyId: StrategyId;
  readonly paper: boolean;
  /** With the fees of what is held. */
  readonly committed: Usdc;
  /** What is counted for the limits of its rules. */
  readonly counted: StrategyCounted;
}

/**
 * The first version: running, on paper only, and traded by nobody but its client, unless the draft says otherwise.
 * @throws RulesInvalid; ScopeMissing or LiveAutomationRefused where `by` may not let it trade with real money by itself
 */
export function createStrategy(
  id: StrategyId,
  account: AccountId,
  draft: StrategyDraft,
  now: Date,
  by: LiveGrant = NO_GRANT,
): Strategy {
  const { automation, automationPaper, ...members } = completeDraft(draft);
  const made: Strategy = {
    id,
    account,
    version: 1,
    ...members,
    ...NOT_AUTOMATED,
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
    ...(automation !== undefined && { automation }),
  };
  return automated(made, automationPaper, by);
}

/**
 * The draft with every default filled in, so that drafts of one meaning are equal; without the members about automation where
 * they say what holds by default, so that a draft means what it meant before there were any.
 * @throws RulesInvalid
 */
export function completeDraft(draft: StrategyDraft) {
  const { name, sport, bankrollCap, stakeCap, isPaused = false, paperOnly = true } = draft;
  const { automation, automationPaper } = draft;
  return {
    name,
    sport,
    rules: completeRules(draft.rules, sport),
    bankrollCap,
    stakeCap,
    isPaused,
    paperOnly,
    ...(automation !== undefined && automation !== 'off' && { automation }),
    ...(automationPaper === false && { automationPaper }),
  };
}

/**
 * A draft as the strategy that it would make, to be explained: whether its client may ask for it is not checked.
 * @throws RulesInvalid
 */
export function drafted(draft: StrategyDraft) {
  const strategy = { ...NOT_AUTOMATED, ...completeDraft(draft) };
  if (strategy.automation !== 'off') checkAutomated(strategy.rules);
  return strategy;
}

/**
 * The next version, or the very same strategy when the patch changes nothing.
 * @throws RulesInvalid; ScopeMissing or LiveAutomationRefused where `by` may not let it trade with real money by itself
 */
export function changeStrategy(
  strategy: Strategy,
  patch: StrategyPatch,
  now: Date,
  by: LiveGrant = NO_GRANT,
): Strategy {
  const { rules: draft, automationPaper, ...members } = patch;
  const rules = draft === undefined ? strategy.rules : completeRules(draft, strategy.sport);
  const next = automated({ ...strategy, ...members, rules }, automationPaper, by);
  if (same(strategy, next)) return strategy;
  if (ordersLive(next) && by.keyId === null && !same(strategy, { ...next, name: strategy.name }))
    throw withoutGrant(by);
  return { ...next, version: strategy.version + 1, updatedAt: now };
}

/** The next version, which trades on paper alone by itself: the API key that let it do more is revoked. */
export function automatedOnPaper(strategy: Strategy, now: Date): Strategy {
  return { ...strategy, ...ON_PAPER, version: strategy.version + 1, updatedAt: now };
}

const ON_PAPER = { automationPaper: true, automationKey: null } as const;

/** True where nothing of the strategy itself keeps it from trading with real money by itself. */
const ordersLive = ({ automation, automationPaper, isPaused, paperOnly }: Strategy): boolean =>
  automation !== 'off' && !automationPaper && !isPaused && !paperOnly;

/** With the wanted kind of money for its automation, and checked. */
function automated(strategy: Strategy, paper: boolean | undefined, by: LiveGrant): Strategy {
  if (strategy.automation !== 'off') checkAutomated(strategy.rules);
  if (paper === undefined) return strategy;
  if (paper) return { ...strategy, ...ON_PAPER };
  if (by.keyId === null) throw withoutGrant(by);
  return { ...strategy, automationPaper: false, automationKey: by.keyId };
}

/** The last version: kept for its orders, gone from everywhere else. */
export function archiveStrategy(strategy: Strategy, now: Date): Strategy {
  return { ...strategy, version: strategy.version + 1, updatedAt: now, archivedAt: now };
}

/** A strategy before its first order. */
export function noExposure(strategy: Pick<Strategy, 'account' | 'id'>, paper: boolean): Exposure {
  return { account: strategy.account, strategyId: strategy.id, paper, committed: NO_USDC, counted: NO_COUNTED_ORDERS };
}

function same(a: Strategy, b: Strategy): boolean {
  const members = (s: Strategy) => [
    s.name,
    s.bankrollCap,
    s.stakeCap,
    s.isPaused,
    s.paperOnly,
    s.automation,
    s.automationPaper,
    s.automationKey,
  ];
  const others = members(b);
  return members(a).every((member, i) => member === others[i]) && sameRules(a.rules, b.rules);
}

/** The accepted orders of a strategy on one day, by counter: one other than that of purchases is absent where nothing was counted. */
export interface DayOrders extends OfDay, Omit<AddedCounts, 'bets'> {
  readonly bets: number;
  /** What trading brought, sold or not, when the first purchase was measured; null where none was. */
  readonly start: Usdc | null;
}

/** What is counted of the trading of a strategy, with one kind of money. */
export interface StrategyCounted {
  /** By the day on which orders were placed. */
  readonly days: ByDay<DayOrders>;
  /** What all its positions together brought, less their fees: of sales and results, not of what is held. */
  readonly booked: Usdc;
  /** How many orders were counted since it was counted from nothing: the number of the last. */
  readonly numbered: number;
}

/** Nothing was counted yet: the strategy has not traded. */
export const NO_COUNTED_ORDERS: StrategyCounted = { days: [], booked: NO_USDC, numbered: 0 };

/** How many orders were counted today. */
export const countOn = ({ days }: StrategyCounted, today: string, counter: DayCounter): number =>
  onDay(days, today)?.[counter] ?? 0;

/** What an accepted order adds to the counters of its day. */
export type AddedCounts = { readonly [Counter in DayCounter]?: number };

const addedBy = (side: Side): AddedCounts =>
  Object.fromEntries(DAY_LIMITS.filter(({ counts }) => counts.includes(side)).map(({ counter }) => [counter, 1]));

const ADDED: Readonly<Record<Side, AddedCounts>> = { BUY: addedBy('BUY'), SELL: addedBy('SELL') };

/** What a purchase adds whose record does not say it. */
export const ONE_PURCHASE: AddedCounts = { bets: 1 };

/** Whether an accepted order of this side is counted. */
export const isCountedByDay = (side: Side): boolean => Object.keys(ADDED[side]).length > 0;

/** What a counted order of this side adds, as its record says it: undefined for `ONE_PURCHASE`. */
export const countsOnRecord = (side: Side): AddedCounts | undefined =>
  Object.keys(ADDED[side]).join() === 'bets' ? undefined : ADDED[side];

/** What was lost today, by what trading brought until now. */
export function lostOn({ days }: StrategyCounted, today: string, gain: Usdc): Usdc {
  const start = onDay(days, today)?.start ?? null;
  const lost = start === null ? NO_USDC : minus(start, gain);
  return lost > 0n ? lost : NO_USDC;
}

/** After an order that is counted was accepted; `gain` is what trading brought until then, null where it was not measured. */
export function afterAccepted(
  { days, booked, numbered }: StrategyCounted,
  { side, day, gain }: { readonly side: Side; readonly day: string; readonly gain: Usdc | null },
): StrategyCounted {
  const before = onDay(days, day) ?? { day, bets: 0, start: null };
  const next = withCounts({ ...before, start: before.start ?? gain }, ADDED[side]);
  return { days: withDay(days, next), booked, numbered: numbered + 1 };
}

/** A day with so much more by each counter. */
export function withCounts(day: DayOrders, more: AddedCounts): DayOrders {
  const counts: { [Counter in DayCounter]?: number } = {};
  for (const counter of DAY_COUNTERS) {
    const added = more[counter] ?? 0;
    if (added > 0) counts[counter] = (day[counter] ?? 0) + added;
  }
  return { ...day, ...counts };
}

/** After trading brought so much, or, negative, cost it. */
export const afterResult = (counted: StrategyCounted, amount: Usdc): StrategyCounted =>
  amount === 0n ? counted : { ...counted, booked: plus(counted.booked, amount) };

/** A strategy that was filled so often in one outcome, within so many minutes, stops until a person lets it go on. */
export const MOST_ENTRIES = 5;
/** With the default cooldown a strategy comes to three. */
export const ENTRIES_WITHIN_MINUTES = 10;

/** The moments, in milliseconds since 1970, at which purchases of one outcome began to fill: those of the last ten minutes. */
export type Entries = readonly number[];

/** Those that still count. What lies more than a minute ahead was counted by a clock that is wrong. */
export const entriesWithin = (entries: Entries, at: Date): Entries =>
  entries.filter((one) => one > at.getTime() - ENTRIES_WITHIN_MINUTES * 60_000 && one <= at.getTime() + 60_000);
