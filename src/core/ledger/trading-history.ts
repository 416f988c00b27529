import { SERVICE, stateOfHalt } from '../account/account.js';
import type { AccountId } from '../ids.js';
import { isCommon, type TradingState } from '../trading/state.js';
import type { AccountEvent } from './event-log.js';

/** A state of trading that was set, kept for ever; `seq` is the number of its event in the log of its account. */
export interface TradingRecord {
  readonly account: AccountId;
  readonly seq: number;
  readonly state: TradingState;
}

/** What an event adds to the history of trading: nothing, unless it is about that. */
export function tradingRecords({ account, seq, type, recordedAt, subject }: AccountEvent): TradingRecord[] {
  if (subject.kind === 'trading')
    return isCommon(subject.state.scope) === (account === SERVICE) ? [{ account, seq, state: subject.state }] : [];
  if (subject.kind !== 'account') return [];
  const { halt } = subject.account;
  if (type === 'account.halted' && halt !== null) return [{ account, seq, state: stateOfHalt(halt) }];
  return type === 'account.released' ? [{ account, seq, state: released(recordedAt) }] : [];
}

function released(since: Date): TradingState {
  const state = { scope: 'account', state: 'active', stops: 'live', reason: 'The halt was released.' } as const;
  return { ...state, by: 'operator', since, until: null, code: null };
}
