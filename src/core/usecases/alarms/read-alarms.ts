import type { Ledger } from '../../../ports/ledger.js';
import { alarmsOf } from '../../account/account-alarms.js';
import type { AlarmRecord } from '../../alarm/alarm.js';
import type { AccountId } from '../../ids.js';

/** An alarm, and whether it is about one account or about the whole service. */
export interface RaisedAlarm extends AlarmRecord {
  readonly scope: 'account' | 'service';
}

/** Reads what is wrong now. */
export class ReadAlarms {
  constructor(private readonly ledger: Ledger) {}

  /** Alarms of the account, and with `alsoService` those of the whole service; the oldest first. @throws StorageUnavailable */
  async execute(account: AccountId, alsoService: boolean): Promise<readonly RaisedAlarm[]> {
    return this.ledger.read({ account, service: true }, ({ account: own, service }) => {
      const ofService = alsoService && service !== undefined ? alarmsOf(service) : [];
      const all = [
        ...alarmsOf(own).map((alarm) => ({ ...alarm, scope: 'account' as const })),
        ...ofService.map((alarm) => ({ ...alarm, scope: 'service' as const })),
      ];
      return all.sort((one, other) => one.since.getTime() - other.since.getTime());
    });
  }
}
