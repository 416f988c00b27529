import type { StrategyId } from '../ids.js';
import { sportScope, strategyScope, type TradingScope } from './state.js';

const STRATEGY = /^strategy:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SPORT = /^sport:[^\s\p{Cc}](?:[^\p{Cc}]{0,62}[^\s\p{Cc}])?$/u;

/** The scope that a text names: `service`, `account`, `strategy:<id>` or `sport:<name>`; undefined where it names none. */
export function tradingScopeIn(text: string): TradingScope | undefined {
  if (text === 'service' || text === 'account') return text;
  if (STRATEGY.test(text)) return strategyScope(text.slice(text.indexOf(':') + 1).toLowerCase() as StrategyId);
  return SPORT.test(text) ? sportScope(text.slice(text.indexOf(':') + 1)) : undefined;
}
