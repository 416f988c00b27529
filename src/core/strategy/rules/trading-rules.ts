import { type ApiKey, isUsable } from '../../access/api-key.js';
import type { LiveGrant } from '../../access/session.js';
import type { DomainError } from '../../domain-error.js';
import type { AccountId } from '../../ids.js';
import { ONE, type Usdc } from '../../money.js';
import type { Phase } from './rule-member.js';
import { membersOf, type RulePart, type RuleTable } from './rule-members.js';
import type { AskedIn, ExitRules, OutcomeChoice, Rules, SignalRule } from './rules.js';
import { LiveAutomationRefused, ScopeMissing } from './strategy-refusals.js';

/** The members of `T`, none of them absent. */
export type WithDefaults<T> = { readonly [Name in keyof T]-?: Exclude<T[Name], undefined> };

/** A member that a rule always has a value of. */
export type Restricting = { readonly always: true } | { readonly default: unknown };

/** The members of a part of rules, none of them absent: null where nothing restricts. */
export type FilledPart<Part extends RulePart> = {
  readonly [Name in keyof AskedIn<Part>]-?:
    | Exclude<AskedIn<Part>[Name], undefined>
    | (RuleTable[Part][Name] extends Restricting ? never : null);
};

/** Rules with every default filled in: what a strategy trades by. Null does not restrict, or is not there. */
export interface TradingRules {
  readonly match: FilledPart<'match'>;
  readonly outcome: OutcomeChoice | null;
  readonly window: FilledPart<'window'>;
  readonly phase: Phase;
  readonly filter: FilledPart<'filter'>;
  readonly sizing: WithDefaults<Rules['sizing']>;
  readonly limits: FilledPart<'limits'>;
  readonly order: FilledPart<'order'>;
  readonly exit: ExitRules | null;
  readonly signal: SignalRule | null;
}

/** What the defaults follow from. */
export interface RuleTerms {
  readonly rules: Rules;
  readonly automation: Automation;
  readonly bankrollCap: Usdc;
}

/** The expected yield at which `edge_proportional` stakes its whole fraction, unless the rules name another. */
const REFERENCE_EDGE = ONE / 10n;

/** By the version that they are of, which never changes: each look at a market asks for them. */
const KNOWN = new WeakMap<RuleTerms, TradingRules>();

/** Every member with its default: what restricts by default restricts only a strategy that trades by itself. */
export function tradingRules(terms: RuleTerms): TradingRules {
  const known = KNOWN.get(terms) ?? withDefaults(terms);
  KNOWN.set(terms, known);
  return known;
}

function withDefaults({ rules, automation, bankrollCap }: RuleTerms): TradingRules {
  const { outcome = null, phase = 'pre', exit = null, signal = null } = rules;
  const bankroll = automation === 'off' ? null : bankrollCap;
  return {
    match: { ...defaultsOf('match', bankroll), ...rules.match },
    outcome,
    window: { ...defaultsOf('window', bankroll), ...rules.window },
    phase,
    exit,
    signal,
    filter: { ...defaultsOf('filter', bankroll), ...rules.filter },
    sizing: { referenceEdge: REFERENCE_EDGE, ...rules.sizing },
    limits: { ...defaultsOf('limits', bankroll), ...rules.limits },
    order: { ...defaultsOf('order', bankroll), ...rules.order },
  };
}

/** What holds of a part of rules where its members are absent; `bankroll` is that of a strategy that trades by itself, else null. */
function defaultsOf<Part extends RulePart>(part: Part, bankroll: Usdc | null): FilledPart<Part> {
  const named = membersOf(part).map(([name, { automated, default: fallback = null }]) => [
    name,
    bankroll === null ? fallback : (automated?.(bankroll) ?? fallback),
  ]);
  return Object.fromEntries(named) as FilledPart<Part>;
}

/** Whether a strategy trades: not at all by itself, only what a person approves, or by itself. */
export const AUTOMATIONS = ['off', 'approve', 'auto'] as const;
/** One of them. */
export type Automation = (typeof AUTOMATIONS)[number];

/** How a strategy trades by itself: a part of every version of it. */
export interface Automated {
  readonly automation: Automation;
  /** True: what it orders by itself, or after an approval, is on paper. */
  readonly automationPaper: boolean;
  /** The id of the API key that lets it order with real money by itself; null while it is on paper. */
  readonly automationKey: string | null;
}

/** How a strategy trades by itself that nobody asked to. */
export const NOT_AUTOMATED: Automated = { automation: 'off', automationPaper: true, automationKey: null };

/** Why a caller without an API key of that scope is refused. */
export const withoutGrant = (by: LiveGrant): DomainError =>
  by.keyId === null && by.lacksScope
    ? new ScopeMissing('orders:live', 'To let a strategy trade with real money by itself, or to change one that does,')
    : new LiveAutomationRefused();

/**
 * True where the automation of a strategy may order with real money at `at`, as far as automation goes: an API key that may
 * trade live has said so, and is still valid. `key` is the key on record with the id `automationKey`. All other conditions of
 * an order with real money hold besides.
 */
export function automationIsLive(
  strategy: Automated & { readonly account: AccountId },
  key: ApiKey | undefined,
  at: Date,
): boolean {
  const { automation, automationPaper, automationKey, account } = strategy;
  if (automation === 'off' || automationPaper || automationKey === null || key === undefined) return false;
  if (key.id !== automationKey || key.account !== account) return false;
  return key.scopes.includes('orders:live') && isUsable(key, at);
}
