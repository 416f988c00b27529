import type { StrategyId } from '../ids.js';

/** Whether orders are accepted: all of them, only those that lower a worst case, or none. Cancellations always are. */
export type TradingMode = (typeof TRADING_MODES)[number];

/** All of them, the strictest last. */
export const TRADING_MODES = ['active', 'reducing', 'halted'] as const;

/** Whose orders a state is about: the whole service's, one account's, one strategy's, or those in markets of a sport. */
export type TradingScope = 'service' | 'account' | `strategy:${StrategyId}` | `sport:${string}`;

/** Which of those orders: all, or only those with real money. */
export type StoppedOrders = (typeof STOPPED_ORDERS)[number];

/** Both. */
export const STOPPED_ORDERS = ['all', 'live'] as const;

/** What was set for a scope, by whom, and why. */
export interface TradingState {
  readonly scope: TradingScope;
  readonly state: TradingMode;
  readonly stops: StoppedOrders;
  readonly reason: string;
  /** The credential that set it, `operator` at the command line, or `service`. */
  readonly by: string;
  readonly since: Date;
  /** When it ends by itself; null for never. */
  readonly until: Date | null;
  /** Why, as a stable snake_case code, where the service or an operator's command set it; null where a client did. */
  readonly code: string | null;
}

/** What is on record about the trading of an account, or of the whole service. */
export interface Trading {
  /** Other than `active`; those that have ended by themselves may still be among them. */
  readonly states: readonly TradingState[];
  /** What was set last, also where that is `active`. */
  readonly last: TradingState | null;
  /** How many orders with real money the venue has rejected since it accepted one; absent for none. */
  readonly rejections?: number;
  /** The orders with real money whose outcome is unknown; absent for none. */
  readonly unknown?: readonly string[];
}

/** Nothing was ever set. */
export const UNTOUCHED: Trading = { states: [], last: null };

/** The scope of one strategy. */
export const strategyScope = (id: StrategyId): TradingScope => `strategy:${id}`;

/** The scope of the markets of a sport; sports compare without case. */
export const sportScope = (sport: string): TradingScope => `sport:${sport.toLowerCase()}`;

/** True of a scope that belongs to no account. */
export const isCommon = (scope: TradingScope): boolean => scope === 'service' || scope.startsWith('sport:');

/** Larger for a stricter state. */
export const strictness = ({ state }: Pick<TradingState, 'state'>): number => TRADING_MODES.indexOf(state);

/** True until the state has ended by itself. */
export const isInForce = ({ until }: TradingState, now: Date): boolean => until === null || now < until;

/** The strictest of them, of equal ones the first; null of none. */
export function strictest(states: readonly TradingState[]): TradingState | null {
  return states.reduce<TradingState | null>(
    (found, one) => (found === null || strictness(one) > strictness(found) ? one : found),
    null,
  );
}

/** What a client asks for: `active` takes back what stops the scope. */
export type TradingChange = Omit<TradingState, 'since' | 'code'>;

/** What setting a state leads to: the record then, and what it puts an end to. */
export interface TradingStep {
  readonly after: Trading;
  readonly set: TradingState;
  readonly ended: readonly TradingState[];
}

/**
 * Sets a state. It takes the place of what a client set before for the same scope and the same orders, or fewer; what the
 * service set by itself ends only where the new state is less strict.
 */
export function withState(before: Trading, change: TradingChange, now: Date, code: string | null = null): TradingStep {
  const set = { ...change, since: now, code };
  const states = before.states.filter((one) => isInForce(one, now));
  const isEnded = (one: TradingState) =>
    isCovered(one, set) && (one.code === code || (code === null && strictness(set) < strictness(one)));
  const kept = states.filter((one) => !isEnded(one));
  const after = { ...before, states: set.state === 'active' ? kept : [...kept, set], last: set };
  return { after, set, ended: states.filter(isEnded) };
}

const isCovered = (one: TradingState, { scope, stops }: TradingState): boolean =>
  one.scope === scope && (stops === 'all' || one.stops === 'live');

/** True where something ended that the new state does not fully replace: an order may be accepted now that was not before. */
export function loosens({ set, ended }: Pick<TradingStep, 'set' | 'ended'>): boolean {
  const lasts = (one: TradingState) => set.until === null || (one.until !== null && one.until <= set.until);
  return ended.some((one) => strictness(set) < strictness(one) || !lasts(one));
}

const STRATEGY = /^strategy:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SPORT = /^sport:[^\s\p{Cc}](?:[^\p{Cc}]{0,62}[^\s\p{Cc}])?$/u;

/** The scope that a text names: `service`, `account`, `strategy:<id>` or `sport:<name>`; undefined where it names none. */
export function tradingScopeIn(text: string): TradingScope | undefined {
  if (text === 'service' || text === 'account') return text;
  if (STRATEGY.test(text)) return strategyScope(text.slice(text.indexOf(':') + 1).toLowerCase() as StrategyId);
  return SPORT.test(text) ? sportScope(text.slice(text.indexOf(':') + 1)) : undefined;
}

/** A state as its JSON text has it. */
type Written<T> = Omit<T, 'since' | 'until'> & { readonly since: string; readonly until: string | null };

interface WrittenTrading extends Omit<Trading, 'states' | 'last'> {
  readonly states: readonly Written<TradingState>[];
  readonly last: Written<TradingState> | null;
}

const read = ({ since, until, ...state }: Written<TradingState>): TradingState => ({
  ...state,
  since: new Date(since),
  until: until === null ? null : new Date(until),
});

/** A state of trading, or all that is on record about trading, as JSON text. */
export const tradingText = (record: Trading | TradingState): string => JSON.stringify(record);

/** Reads back what `tradingText` wrote of a state. */
export const tradingStateIn = (text: string): TradingState => read(JSON.parse(text) as Written<TradingState>);

/** Reads back what `tradingText` wrote of all that is on record. */
export function tradingIn(text: string): Trading {
  const { states, last, ...counts } = JSON.parse(text) as WrittenTrading;
  return { states: states.map(read), last: last === null ? null : read(last), ...counts };
}
