import type { WireStrategy } from '../../adapters/http/answers.js';
import { MARKET_KINDS, OUTCOME_ROLES, TIMES_IN_FORCE } from '../../core/market/market.js';
import { parseMicro, type Usdc } from '../../core/money.js';
import {
  AMOUNT_KINDS,
  BET_SIDES,
  membersWithin,
  PHASES,
  type PlainMember,
  type RuleKind,
  type RuleMember,
  SIZING_METHODS,
} from '../../core/strategy/rules/rule-member.js';
import { membersOf, RULE_MEMBERS, RULE_PARTS, RULES } from '../../core/strategy/rules/rule-members.js';
import { decimalOdds } from './amounts.js';

/** A value in a body, as JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
/** The body of a strategy, as far as it is filled in. */
export type DraftBody = { readonly [name: string]: Json };
/** Where a value stands in a body. */
export type Path = readonly string[];

/** Members of a strategy that a body of a creation has, in that order. */
const OF_BODY = [
  'name',
  'sport',
  'rules',
  'bankroll_cap',
  'stake_cap',
  'is_paused',
  'paper_only',
  'automation',
  'automation_paper',
];

/** A strategy that does nothing before its form is filled in. */
export const EMPTY: DraftBody = {
  name: '',
  sport: '',
  rules: { sizing: { method: 'flat', value: 5 } },
  bankroll_cap: '100',
  stake_cap: '5',
  paper_only: true,
  automation: 'approve',
};

/** The body that would make this strategy: without what the service adds. */
export const bodyOfStrategy = (strategy: WireStrategy): DraftBody =>
  Object.fromEntries(Object.entries(strategy).filter(([name]) => OF_BODY.includes(name))) as DraftBody;

const isObject = (value: Json | undefined): value is DraftBody =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a place; undefined where there is none. */
export function valueAt(body: Json | undefined, [name, ...rest]: Path): Json | undefined {
  if (name === undefined) return body;
  return isObject(body) ? valueAt(body[name], rest) : undefined;
}

/** The body with another value at a place; undefined takes it away, with the objects that are empty then. */
export function withValue(body: DraftBody, [name = '', ...rest]: Path, value: Json | undefined): DraftBody {
  const { [name]: before, ...others } = body;
  if (rest.length === 0) return value === undefined ? others : { ...body, [name]: value };
  const inner = withValue(isObject(before) ? before : {}, rest, value);
  return Object.keys(inner).length === 0 ? others : { ...body, [name]: inner };
}

/** A JSON pointer to a place. */
export const pointerTo = (path: Path): string =>
  path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** What a member may be, where that is a few words. */
const CHOICES: { readonly [Kind in RuleKind]?: readonly string[] } = {
  side: BET_SIDES,
  timeInForce: TIMES_IN_FORCE,
  method: SIZING_METHODS,
  phase: PHASES,
  role: OUTCOME_ROLES,
  index: ['0', '1'],
  flag: ['true', 'false'],
};

/** The words that a member of this kind may be; null where it may be many. */
export const choicesOf = (kind: RuleKind): readonly string[] | null => CHOICES[kind] ?? null;

/** Choices whose own words say little. */
const CHOICE_TEXTS: { readonly [Kind in RuleKind]?: Readonly<Record<string, string>> } = {
  index: { 0: 'the first of the market', 1: 'the second of the market' },
  phase: { pre: 'before it starts', in_play: 'while it is on', any: 'both' },
  side: { BACK: 'for the outcome (BACK)', LAY: 'against the outcome (LAY)' },
};

/** A choice as a person reads it. */
export const choiceText = (kind: RuleKind, choice: string): string =>
  CHOICE_TEXTS[kind]?.[choice] ?? plainWords(choice);

/** What a list may name, to be suggested. */
export const suggestedFor = (kind: RuleKind): readonly string[] => (kind === 'marketKinds' ? MARKET_KINDS : []);

/** Objects that have one of their members; `outcome` may also be a word. */
export const ONE_OF: ReadonlySet<RuleKind> = new Set(['profit', 'loss', 'outcome']);

/** What was typed, as the body has it; undefined where nothing was. What cannot be read is sent as it is: the service says why not. */
export function valueTyped(kind: RuleKind, typed: string): Json | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (kind === 'flag') return text === 'true';
  if (kind === 'count' || kind === 'index') return /^\d{1,9}$/.test(text) ? Number(text) : text;
  if (kind === 'odds') return oddsTyped(text);
  // Rules are answered with numbers; one that a number does not hold exactly stays a text.
  if (AMOUNT_KINDS.includes(kind)) return String(Number(text)) === text ? Number(text) : text;
  if (kind !== 'names' && kind !== 'texts' && kind !== 'marketKinds') return text;
  const names = text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  return kind !== 'texts' && names.length === 1 ? (names[0] as string) : names;
}

/** Decimal odds of what was typed in any of the formats; what is in none of them, as it is. */
function oddsTyped(text: string): Json {
  const found = decimalOdds(text) ?? text;
  return String(Number(found)) === found ? Number(found) : found;
}

/** A value as it would be typed. */
export function typedOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** Members whose names alone do not say what they are. */
const LABELS: Readonly<Record<string, string>> = {
  market: 'Kind of market',
  events: 'Only these games',
  text: 'Words in the market',
  outcome: 'Outcome to bet on',
  from: 'Not before',
  to: 'Not after',
  phase: 'Before or during the game',
  after: 'So long after the purchase',
  before_start: 'So long before the start',
};

/** A member's name in words. */
export const labelOf = ({ shown }: Pick<PlainMember | RuleMember, 'shown'>): string => {
  const known = LABELS[shown];
  if (known !== undefined) return known;
  const words = shown.replaceAll('_', ' ').replace(/ usdc$/, ' in USDC');
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
};

/** The members of an object, with their names in the body. */
export const membersInside = (kind: RuleKind): readonly PlainMember[] =>
  membersWithin(kind).map(([, member]) => member);

/** The labels of the fields outside of the rules, by their members. */
export const BASIC_LABELS = {
  name: 'Name',
  sport: 'Sport',
  bankroll_cap: 'Bankroll, in USDC',
  stake_cap: 'Most a bet, in USDC',
  automation: 'Automation',
  paper_only: 'Money',
  automation_paper: 'Money',
} as const;

/** What automation does, in words. */
export const AUTOMATION_WORDS = [
  ['off', 'Does nothing by itself'],
  ['approve', 'Asks me before each bet'],
  ['auto', 'Bets by itself'],
] as const;

/** Which money a strategy may use, in words. */
export const MONEY_WORDS = [
  [true, 'Paper only'],
  [false, 'Real money too, where an order asks for it'],
] as const;

/** Members without a field, and values that have words of their own. */
const OTHER_LABELS: Readonly<Record<string, string>> = {
  is_paused: 'Paused',
  automation_paper: 'Money of its automation',
  archived_at: 'Archived',
};
const WORDS_OF: Readonly<Record<string, readonly (readonly [string | boolean, string])[]>> = {
  automation: AUTOMATION_WORDS,
  paper_only: MONEY_WORDS,
  automation_paper: [
    [true, 'paper'],
    [false, 'real money'],
  ],
};

/** The label of a member of a version, by its path. */
export const memberLabel = (path: Path): string => {
  const [only = ''] = path;
  return (path.length === 1 ? OTHER_LABELS[only] : undefined) ?? labelAt(pointerTo(path));
};

/** A value of a member, as the form would show it. */
export function memberText(path: Path, value: Json): string {
  const words = path.length === 1 ? WORDS_OF[path[0] ?? ''] : undefined;
  const known = words?.find(([one]) => one === value)?.[1];
  if (known !== undefined) return known;
  const text = value === null ? 'no limit' : typedOf(value);
  const kind = kindAt(path);
  return kind !== null && choicesOf(kind)?.includes(text) === true ? choiceText(kind, text) : plainWords(text);
}

/** The kind of a member of the rules; null of any other. */
function kindAt([first, name = '', inner]: Path): RuleKind | null {
  if (first !== 'rules') return null;
  const entry = RULES[name as keyof typeof RULES];
  if (entry !== undefined && 'kind' in entry) return inner === undefined ? entry.kind : null;
  const part = RULE_PARTS.find((one) => one === name);
  const member = part === undefined ? undefined : membersOf(part).find(([, { shown }]) => shown === inner);
  return member?.[1].kind ?? null;
}

/** `yes` of `true`, and single words of members without underscores. */
export const plainWords = (text: string): string =>
  text === 'true' ? 'yes' : text === 'false' ? 'no' : /^[a-z_]+$/.test(text) ? text.replaceAll('_', ' ') : text;

const PARTS: ReadonlySet<string> = new Set(RULE_PARTS);

/** The label of the field that a JSON pointer names; of an item that of its list. */
export function labelAt(pointer: string): string {
  const [first = '', part = '', ...rest] = pointer.split('/').filter((name) => !/^\d*$/.test(name));
  if (first !== 'rules') return BASIC_LABELS[first as keyof typeof BASIC_LABELS] ?? labelOf({ shown: first });
  const names = PARTS.has(part) && rest.length > 0 ? rest : [part, ...rest];
  const words = names.map((shown) => labelOf({ shown }));
  return words.map((one, at) => (at === 0 ? one : one.toLowerCase())).join(' ');
}

/** Rules that are no members of the form. */
const RULE_LABELS: Readonly<Record<string, string>> = {
  'strategy/is_paused': 'Paused',
  'market/status': 'State of the market',
  'market/accepting_orders': 'Market takes orders',
  'market/fee': 'Fee rate of the market',
  'market/min_shares': 'Least shares of an order',
  'market/min_notional': 'Least worth of an order',
  'market/other_outcome': 'Shares of the other outcome',
  book: 'Book',
  'book/fresh': 'Book is up to date',
  'book/asks': 'Best ask',
  'book/crossed': 'Best bid is below the best ask',
  'book/sum_of_offers': 'Best asks of all results together',
  odds: 'Odds, with fees',
  decide: 'Function that decides',
  signal: 'Signal',
  'signal/sum': 'Signals of all results together',
  'sizing/edge': 'Expected yield',
  'sizing/dutch': 'One share of every result costs',
  'sizing/dutch/min_shares': 'Least shares of each result',
  'sizing/reserve_rate': 'Expected return of a USDC at stake',
  'limits/rearmed': 'False once since the last bet',
  benched: 'Refused or asked for already',
  'approval/max_drift': 'Worse than when it was asked for',
};

/** What a rule of a decision is called, as its form does. */
export const ruleLabel = (rule: string): string => RULE_LABELS[rule] ?? labelAt(`/rules/${rule}`);

/** Where members stand, by the names that sentences of the service have for them. */
const POINTERS: ReadonlyMap<string, string> = new Map([
  ...Object.keys(BASIC_LABELS).map((name) => [name, `/${name}`] as const),
  ...RULE_PARTS.flatMap((part) =>
    membersOf(part).flatMap(([, { shown }]) => {
      const pointer = `/rules/${part}/${shown}`;
      return [[shown, pointer] as const, [`${part}/${shown}`, pointer] as const];
    }),
  ),
]);

/** A piece of a sentence; with a pointer it names that member. */
export interface SentencePiece {
  readonly text: string;
  readonly pointer: string | null;
}

/** A sentence of the service in pieces, where members such as `stake_cap` have the labels of their fields. */
export function piecesOf(sentence: string): readonly SentencePiece[] {
  // Single words, such as `phase`, are read as they are.
  return sentence.split(/`?([a-z]+(?:[_/][a-z]+)+)`?/).flatMap((text, at): SentencePiece[] => {
    const pointer = at % 2 === 1 ? POINTERS.get(text) : undefined;
    if (pointer !== undefined) return [{ text: labelAt(pointer), pointer }];
    return text === '' ? [] : [{ text, pointer: null }];
  });
}

/** What keeps one bet from being larger. */
export interface StakeBound {
  /** The member; null of a limit of the account. */
  readonly pointer: string | null;
  readonly most: bigint;
}

/** What a bet of this draft may cost at most, the least first; `orderLimit` is that of the account for one order. */
export function stakeBounds(body: DraftBody, orderLimit: string | null): readonly StakeBound[] {
  const amount = (value: Json | undefined) => (value === undefined || value === null ? null : amountOf(value));
  const eventLoss = valueAt(body, ['rules', 'limits', 'event_loss']);
  const bankroll = amount(valueAt(body, ['bankroll_cap']));
  const isOff = (valueAt(body, ['automation']) ?? 'off') === 'off';
  const ofEvent =
    eventLoss === undefined && !isOff && bankroll !== null
      ? RULE_MEMBERS.limits.eventLoss.automated(bankroll as Usdc)
      : amount(eventLoss);
  const found: readonly (readonly [pointer: string | null, most: bigint | null])[] = [
    ['/stake_cap', amount(valueAt(body, ['stake_cap']))],
    ['/rules/limits/event_loss', ofEvent],
    ['/bankroll_cap', bankroll],
    [null, amount(orderLimit ?? undefined)],
  ];
  const bounds = found.flatMap(([pointer, most]) => (most === null ? [] : [{ pointer, most }]));
  return bounds.sort((a, b) => (a.most < b.most ? -1 : a.most > b.most ? 1 : 0));
}

/** The stake of a draft in millionths, where it is the same for each bet; null else. */
export function flatStakeOf(body: DraftBody): bigint | null {
  if (valueAt(body, ['rules', 'sizing', 'method']) !== 'flat') return null;
  const value = valueAt(body, ['rules', 'sizing', 'value']);
  return value === undefined ? null : amountOf(value);
}

function amountOf(value: Json): bigint | null {
  try {
    return parseMicro(String(value));
  } catch {
    return null;
  }
}
