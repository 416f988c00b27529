import type { RaisedAlarm } from '../core/usecases/alarms/read-alarms.js';
import type { UseCases } from '../core/usecases/compose.js';
import { accountId } from './input.js';

/** What is wrong and should be looked at: `ALARM_MEANINGS` says what each kind means, and what to do. */
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
