import type { WireStrategy } from '../../adapters/http/answers.js';
import { MARKET_KINDS, OUTCOME_ROLES, TIMES_IN_FORCE } from '../../core/market/market.js';
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
  // Rules are answered with numbers; one that a number does not hold exactly stays a text.
  if (AMOUNT_KINDS.includes(kind)) return String(Number(text)) === text ? Number(text) : text;
  if (kind !== 'names' && kind !== 'texts' && kind !== 'marketKinds') return text;
  const names = text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  return kind !== 'texts' && names.length === 1 ? (names[0] as string) : names;
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
