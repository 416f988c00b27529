import type { Trading, TradingState } from './state.js';

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
