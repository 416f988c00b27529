import { AUTH_SCOPES } from '../core/access/principal.js';
import type { TradingNow } from '../core/account/account.js';
import type { TradingRecord } from '../core/ledger/event-log.js';
import type { Slice } from '../core/ledger/query.js';
import {
  STOPPED_ORDERS,
  type StoppedOrders,
  TRADING_MODES,
  type TradingMode,
  tradingScopeIn,
} from '../core/trading/state.js';
import type { RaisedAlarm } from '../core/usecases/alarms/read-alarms.js';
import type { UseCases } from '../core/usecases/compose.js';
import type { TradingSet } from '../core/usecases/trading/set-trading-state.js';
import { accountId, keyOf, knownWord, onlyMembers, type PageRequest, pageOf, refuse, shownBriefly } from './input.js';

/** A state of trading as a program requests it. */
export interface TradingRequest {
  /** Whose orders: `service`, `account`, `strategy:<id>` or `sport:<name>`. */
  readonly scope: string;
  /** `halted` accepts no order, `reducing` only those that lower a worst case, and `active` takes back what stops the scope. */
  readonly state: TradingMode;
  readonly reason: string;
  /** When it ends by itself; by default never. */
  readonly until?: Date | null;
  /** `live`: only orders with real money; by default all. */
  readonly stops?: StoppedOrders;
  /** Also cancels the working orders that it stops. */
  readonly cancel?: boolean;
  readonly idempotencyKey?: string | null;
}

/** What stops orders: the strictest of the states that are about one counts. */
export interface TradingStates {
  /** What is in force for the account now. */
  state(account: string): Promise<TradingNow>;
  /**
   * Sets one, for the account or for all. A program may do what an operator may.
   *
   * @throws InputInvalid, TradingStateInvalid, StrategyNotFound, StorageUnavailable
   *
   * @example
   * ```ts
   * const { state } = await stakeport.trading.set('me', { scope: 'account', state: 'halted', reason: 'Enough.' });
   * console.log(state.since);
   * ```
   */
  set(account: string, request: TradingRequest): Promise<TradingSet>;
  /** Every state that was set, newest first: of the account, or of what holds for all with `service`. */
  history(account: string, request?: TradingHistoryRequest): Promise<Slice<TradingRecord, number>>;
}

/** Whose history to read. */
export interface TradingHistoryRequest extends PageRequest<number> {
  /** By default the account's. */
  readonly of?: 'account' | 'service';
}

const MEMBERS = ['scope', 'state', 'reason', 'until', 'stops', 'cancel', 'idempotencyKey'];
const MOST_LETTERS = 200;
const EVERYTHING = new Set(AUTH_SCOPES);

/** The methods that read and set states of trading. */
export function tradingStatesOf({ trading: { set, read } }: UseCases): TradingStates {
  return {
    state: async (account) => read.now(accountId(account)),
    async set(account, request) {
      onlyMembers(request, MEMBERS);
      const { until = null, stops = 'all', cancel = false, idempotencyKey } = request;
      const scope = tradingScopeIn(request.scope);
      if (scope === undefined)
        throw refuse(
          'scope',
          `must be service, account, strategy:<id> or sport:<name>; got ${shownBriefly(request.scope)}`,
        );
      const change = {
        scope,
        until,
        by: 'program',
        reason: words(request.reason),
        state: knownWord('state', request.state, TRADING_MODES),
        stops: knownWord('stops', stops, STOPPED_ORDERS),
      };
      const command = { account: accountId(account), change, cancel, may: EVERYTHING };
      return (await set.execute({ ...command, idempotencyKey: keyOf(idempotencyKey) })).record;
    },
    async history(account, request = {}) {
      const page = pageOf(request, ['of']);
      return read.history(request.of === 'service' ? 'service' : accountId(account), page);
    },
  };
}

function words(reason: string): string {
  if (typeof reason === 'string' && reason.trim() !== '' && [...reason].length <= MOST_LETTERS) return reason;
  throw refuse('reason', `must be 1 to ${MOST_LETTERS} characters, not blank; got ${shownBriefly(reason)}`);
}

/** What is wrong and should be checked: `ALARM_MEANINGS` says what each kind means, and what to do. */
export interface Alarms {
  /**
   * What is wrong with an account now, the oldest first.
   *
   * @example
   * ```ts
   * for (const { kind, detail } of await stakeport.alarms.list('me')) console.log(kind, detail);
   * ```
   */
  list(account: string): Promise<readonly RaisedAlarm[]>;
}

/** Alarms of these use cases. */
export const alarmsFrom = ({ alarms }: Pick<UseCases, 'alarms'>): Alarms => ({
  list: async (account) => alarms.read.execute(accountId(account), false),
});
