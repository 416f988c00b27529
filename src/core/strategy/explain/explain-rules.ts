import { isSignalNeeded } from '../conditions/candidate.js';
import { APPROVE_WITHIN_MS } from '../record/approval.js';
import { writeDuration } from '../rules/rule-duration.js';
import { percentText, type RuleMember, usdcText } from '../rules/rule-member.js';
import { membersOf, type RulePart } from '../rules/rule-members.js';
import type { OutcomeChoice } from '../rules/rules.js';
import { type TradingRules, tradingRules } from '../rules/trading-rules.js';
import type { Strategy } from '../strategy.js';

/** What one member of a strategy means, as a sentence. `pointer` is a JSON pointer into the strategy as clients write it. */
export interface Explanation {
  readonly pointer: string;
  readonly sentence: string;
}

/** The members of a strategy that are explained. */
export type Explained = Pick<
  Strategy,
  'rules' | 'automation' | 'automationPaper' | 'paperOnly' | 'isPaused' | 'bankrollCap' | 'stakeCap'
>;

type Line = readonly [member: string, sentence: string | null];

/** What a strategy would do, member by member, with every default that holds; a member that does nothing is not there. */
export function explainRules(strategy: Explained): readonly Explanation[] {
  const rules = tradingRules(strategy);
  const lines: readonly Line[] = [
    ...partLines('match', rules),
    ['outcome', rules.outcome && outcomeSentence(rules.outcome, rules.filter.side)],
    ...partLines('window', rules),
    ['phase', PHASE[rules.phase]],
    ...partLines('filter', rules),
    ...sizingLines(rules.sizing),
    ...partLines('limits', rules),
    ...partLines('order', rules),
    ...partLines('exit', rules),
    ['signal', rules.signal && signalSentence(rules, rules.signal.name)],
  ];
  const said = lines.flatMap(([member, sentence]) =>
    sentence === null ? [] : [{ pointer: `/rules/${member}`, sentence }],
  );
  return [...said, ...capLines(strategy, rules)];
}

/** The sentences of a part of rules; a member that is null, or absent, has none. */
function partLines(part: RulePart, rules: TradingRules): readonly Line[] {
  const values = new Map<string, unknown>(Object.entries(rules[part] ?? {}));
  return membersOf(part).map(([name, member]) => {
    const value = values.get(name) ?? null;
    return [`${part}/${member.shown}`, value === null ? null : sentenceOf(member, value, rules.order)];
  });
}

/** A value is of the kind of its member. */
const sentenceOf = (member: RuleMember, value: unknown, order: TradingRules['order']): string | null =>
  member.sentence(value as never, order);

function outcomeSentence(choice: OutcomeChoice, side: 'BACK' | 'LAY'): string {
  const bets = side === 'BACK' ? 'Bets for' : 'Bets against';
  if (choice === 'each') return `${bets} each outcome that the rules permit.`;
  if ('label' in choice) return `${bets} the outcome "${choice.label}".`;
  if ('role' in choice) return choice.role === 'draw' ? `${bets} the draw.` : `${bets} the ${choice.role} team.`;
  if ('index' in choice) return `${bets} the ${choice.index === 0 ? 'first' : 'second'} outcome of the market.`;
  const { favouriteRank: rank } = choice;
  return rank === 1 ? `${bets} the favourite.` : `${bets} number ${rank} of the outcomes, the most probable first.`;
}

const PHASE = {
  pre: 'Only before the game starts.',
  in_play: 'Only while the game is on.',
  any: 'Before the game and while it is on.',
};

function sizingLines({ method, value, referenceEdge }: TradingRules['sizing']): readonly Line[] {
  const sentences = {
    fixed_fraction: `Stakes ${percentText(value)} of the free bankroll.`,
    flat: `Stakes ${usdcText(value)}.`,
    kelly: `Stakes ${percentText(value)} of what Kelly's formula gives.`,
    to_win: `Stakes what wins ${usdcText(value)}.`,
    fixed_liability: `Stakes so that ${usdcText(value)} can be lost.`,
    edge_proportional: `Stakes up to ${percentText(value)} of the free bankroll, in proportion to the edge.`,
    dutch: `Divides ${usdcText(value)} among the outcomes, so that each pays the same.`,
  };
  const reference = `Stakes the whole fraction at an edge of ${percentText(referenceEdge)} or more.`;
  return [
    ['sizing', sentences[method]],
    ['sizing/reference_edge', method === 'edge_proportional' ? reference : null],
  ];
}

function signalSentence(rules: TradingRules, name: string): string {
  const from = `Takes the probability from the signal ${name}`;
  return isSignalNeeded(rules) ? `${from}, and never bets without it.` : `${from} while there is one.`;
}

const MODE: Readonly<Record<Strategy['automation'], (approveWithinMs: number) => string>> = {
  off: () => 'Does nothing by itself: its rules are on record, and its caps hold for the orders that name it.',
  approve: (ms) =>
    `Asks a person before each bet, and orders nothing that was not approved within ${writeDuration(ms)}.`,
  auto: () => 'Orders by itself.',
};

function capLines(strategy: Explained, { order }: TradingRules): readonly Explanation[] {
  const { automation, bankrollCap, stakeCap, isPaused } = strategy;
  return [
    { pointer: '/bankroll_cap', sentence: `Never has more than ${usdcText(bankrollCap)} at work.` },
    { pointer: '/stake_cap', sentence: `Never stakes more than ${usdcText(stakeCap)} at once.` },
    { pointer: '/automation', sentence: MODE[automation](order.approveWithinMs ?? APPROVE_WITHIN_MS) },
    ...(automation === 'off' ? [] : [{ pointer: '/automation_paper', sentence: moneySentence(strategy) }]),
    ...(isPaused ? [{ pointer: '/is_paused', sentence: 'Orders nothing while it is paused.' }] : []),
  ];
}

function moneySentence({ automationPaper, paperOnly }: Explained): string {
  if (automationPaper) return 'On paper.';
  if (paperOnly) return 'Orders nothing: it would be with real money, which paper_only bars.';
  return 'With real money, as long as the API key that said so is valid.';
}
