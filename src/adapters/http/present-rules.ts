import type * as v from 'valibot';
import { formatMicro } from '../../core/money.js';
import { isGrown } from '../../core/strategy/rules/complete-rules.js';
import { writeDuration } from '../../core/strategy/rules/rule-duration.js';
import { type MemberOf, membersWithin, type RuleKind } from '../../core/strategy/rules/rule-member.js';
import { membersOf, type RulePart } from '../../core/strategy/rules/rule-members.js';
import type { Rules } from '../../core/strategy/rules/rules.js';
import { tradingRules } from '../../core/strategy/rules/trading-rules.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import { named } from './present.js';
import type { rulesOut, ShownPart } from './rules-out.js';

type Shown = v.InferInput<typeof rulesOut>;
type Automated = Pick<Strategy, 'rules' | 'automation' | 'automationPaper' | 'bankrollCap'>;

/** True where answers show more than rules alone could say: a member for trading by itself was named, or it is not off. */
export const showsAutomation = ({ rules, automation, automationPaper }: Automated): boolean =>
  automation !== 'off' || !automationPaper || isGrown(rules);

/**
 * Rules as every answer shows them: what was asked for, and where any of it is for trading by itself, every default that then
 * holds. Null is shown only where a client wrote it.
 */
export function presentRules(strategy: Automated): Shown {
  const { rules } = strategy;
  const { version, sizing } = rules;
  if (!showsAutomation(strategy)) {
    const [match, filter] = [partOf('match', rules.match), partOf('filter', rules.filter)];
    return { version, match, filter, sizing: sizingOf(sizing) };
  }
  const { outcome, window, exit, signal } = rules;
  const { match, filter, sizing: all, phase, limits, order } = tradingRules(strategy);
  return {
    version,
    match: partOf('match', match, rules.match),
    filter: partOf('filter', filter, rules.filter),
    sizing: sizingOf(all.method === 'edge_proportional' ? all : sizing),
    ...named({ outcome: outcome && (shownValue('outcome', outcome) as Shown['outcome']) }),
    ...named({ window: window && partOf('window', window, window) }),
    phase,
    limits: partOf('limits', limits, rules.limits),
    order: partOf('order', order, rules.order),
    ...named({ exit: exit && partOf('exit', exit, exit), signal }),
  };
}

const sizingOf = (sizing: Rules['sizing']) => shownValue('sizing', sizing) as Shown['sizing'];

/** The members of a part that restrict, and those that were asked not to. */
const partOf = <Part extends RulePart>(part: Part, all: object, asked: object = {}) =>
  shownMembers(membersOf(part), all, asked) as ShownPart<Part>;

function shownMembers(
  table: readonly (readonly [name: string, member: MemberOf<RuleKind>])[],
  all: object,
  asked: object = {},
): object {
  const values = new Map<string, unknown>(Object.entries(all));
  const shown = table.flatMap(([name, { kind, shown, orNull }]) => {
    const value = values.get(name) ?? null;
    if (value !== null) return [[shown, shownValue(kind, value)]];
    return orNull === true && name in asked ? [[shown, null]] : [];
  });
  return Object.fromEntries(shown);
}

/** Amounts and times as they are written, alone or in an object; everything else as it is. */
function shownValue(kind: RuleKind, value: unknown): unknown {
  if (typeof value === 'bigint') return numberOf(value);
  if (kind === 'duration' || kind === 'offset') return writeDuration(Number(value));
  const within = membersWithin(kind);
  return within.length > 0 && typeof value === 'object' && value !== null ? shownMembers(within, value) : value;
}

/** As it was written: six decimals below a thousand million are exact in a double. */
const numberOf = (micro: bigint): number => Number(formatMicro(micro));
