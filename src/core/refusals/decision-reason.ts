import type { OutcomeSide } from '../market/market.js';
import { formatMicro } from '../money.js';
import { plainText } from '../order/order-words.js';
import {
  boundWords,
  exitName,
  type FoundRule,
  limitName,
  MISSING_INPUTS,
  momentWords,
  oddsText,
  SKIP_REASONS,
  type SkipReason,
} from '../strategy/rules/skip-reasons.js';
import { ORDER_REFUSALS, type OrderRefusal } from './order-refusals.js';

/** A decision as far as its reason goes. */
export interface ExplainedDecision {
  readonly verdict: 'bet' | 'skip';
  readonly code: string | null;
  readonly token: OutcomeSide;
  readonly outcomeLabel: string | null;
  readonly boundBy: string | null;
  readonly price: bigint | null;
  readonly shares: bigint | null;
  readonly cost: bigint | null;
  readonly odds: bigint | null;
  readonly slot: number | null;
  readonly inputs: Readonly<Record<string, string | null>>;
  readonly rules: readonly TestedRule[];
}

interface TestedRule {
  readonly rule: string;
  readonly value: string | null;
  readonly bound: string | null;
  readonly passed: boolean | null;
}

const MISSING = 'input_missing:';
const BY_CODE: Readonly<Record<string, SkipReason>> = SKIP_REASONS;
const REFUSALS: Readonly<Record<string, OrderRefusal>> = ORDER_REFUSALS;
const OTHER = 'No other reason is on record.';

/** What a code of a decision means, as a sentence without figures. */
export function meaningOfSkip(code: string): string {
  if (code.startsWith(MISSING)) return missingText(code.slice(MISSING.length));
  return BY_CODE[code]?.[0] ?? refusalText(code) ?? OTHER;
}

/** Why a strategy bets, sells, or does neither: a sentence with the figures that decided. */
export function reasonOf(decision: ExplainedDecision): string {
  const { verdict, code, rules, inputs } = decision;
  if (verdict === 'bet') return decision.slot === null ? saleText(decision) : betText(decision);
  if (code === null) return OTHER;
  const failed = rules.find(({ passed }) => passed !== true);
  const found = foundIn(decision, isOfExit(decision) ? undefined : failed);
  const refusal = inputs['refusal'] ?? null;
  if (refusal !== null) return plainText(refusal);
  // Some codes are of rules and of orders: an order is refused where every rule is true.
  const byOrder = failed === undefined && !isOfExit(decision) ? refusalText(code) : null;
  return byOrder ?? BY_CODE[code]?.[1]?.(found) ?? meaningOfSkip(code);
}

/** Of a sale: there a rule that is true is a reason to sell. */
const isOfExit = ({ code, boundBy, rules }: ExplainedDecision): boolean =>
  code === 'hold' || boundBy?.startsWith('exit/') === true || (rules[0]?.rule.startsWith('exit/') ?? false);

function foundIn(
  { token, outcomeLabel, inputs, boundBy }: ExplainedDecision,
  failed: TestedRule | undefined,
): FoundRule {
  const { rule = '', value = null, bound = null } = failed ?? {};
  const text = (of: string | null) => (of === null ? 'not known' : plainText(of));
  return { rule, value: text(value), bound: text(bound), outcome: plainText(outcomeLabel ?? token), inputs, boundBy };
}

function refusalText(code: string): string | null {
  const help = REFUSALS[code]?.[1];
  return help === undefined ? null : help.replaceAll('`', '');
}

const missingText = (input: string): string =>
  MISSING_INPUTS[input] ?? `It could not be read what the limit of ${limitName(input)} leaves.`;

function betText({ token, outcomeLabel, shares, cost, odds, boundBy }: ExplainedDecision): string {
  const name = plainText(outcomeLabel ?? token);
  const what = `Buys ${amount(shares)} shares of ${name} for ${amount(cost)} USDC`;
  const at = odds === null ? '' : ` at odds of ${oddsText(formatMicro(odds), '')}`;
  const bound = boundBy === null ? '' : `; ${boundWords(boundBy)}`;
  return `${what}${at}${bound}.`;
}

function saleText({ token, outcomeLabel, shares, price, rules }: ExplainedDecision): string {
  const met = rules.find(({ passed }) => passed === true);
  const what = `Sells ${amount(shares)} shares of ${plainText(outcomeLabel ?? token)} at ${amount(price)} or better`;
  if (met === undefined) return `${what}.`;
  return `${what}: ${exitName(met.rule)} of the rules is at ${shownBound(met.bound)}, and ${shownBound(met.value)} was found.`;
}

const amount = (of: bigint | null): string => (of === null ? 'some' : formatMicro(of));
const shownBound = (text: string | null): string => (text === null ? 'not known' : momentWords(text));
