import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock } from '../../../../ports/system.js';
import { type Account, SERVICE, tradingFor } from '../../../account/account.js';
import { alarmed, alarmsOf, unalarmed } from '../../../account/account-alarms.js';
import { type AlarmKey, type AlarmRecord, alarmIn } from '../../../alarm/alarm.js';
import { endOfReport, lastsYet } from '../../../alarm/for-now.js';
import { type AccountId, shortId } from '../../../ids.js';
import type { Order } from '../../../order/order.js';
import { orderName } from '../../../order/order-words.js';

/** Something that is wrong with the service, as a server finds it. */
export interface ServiceTrouble extends AlarmKey {
  readonly detail: string;
  /** Since when; absent for now. */
  readonly since?: Date;
}

/** How long an order may be unknown before anybody is notified. */
const UNKNOWN_MS = 60_000;
/** How many accounts read of what is wrong with the service. */
const MOST_READERS = 200;

/**
 * Raises alarms, and clears those that are over: each once, whichever server finds it, also over restarts. An alarm of the
 * service lasts while some server reports it, so that none has to know of the others.
 */
export class RaiseAlarms {
  /** @param readers accounts whose logs have the alarms of the service, beside those that trade with real money */
  constructor(
    private readonly ledger: Ledger,
    private readonly wallClock: Clock,
    private readonly readers: readonly AccountId[],
  ) {}

  /** Call it at least once a minute while it lasts. @throws StorageUnavailable */
  async report({ since, ...trouble }: ServiceTrouble): Promise<void> {
    const now = this.wallClock.now();
    const { alarms = [] } = await this.#service();
    const known = alarmIn(alarms, trouble);
    if (known !== undefined && lastsYet(known, now)) return;
    await this.#change((service) => alarmed(service, { ...trouble, since: since ?? now, until: endOfReport(now) }));
  }

  /** Clears what no server reports any more. @throws StorageUnavailable */
  async clear(): Promise<void> {
    const over = (now: Date) => (one: AlarmRecord) => one.until !== null && one.until <= now;
    const { alarms = [] } = await this.#service();
    if (!alarms.some(over(this.wallClock.now()))) return;
    await this.#change((service) =>
      (service.alarms ?? []).filter(over(this.wallClock.now())).reduce(unalarmed, service),
    );
  }

  /** Raises an alarm for each order that is unknown for more than a minute, and clears it once the order is known. @throws StorageUnavailable */
  async unknown(orders: readonly Order[]): Promise<void> {
    const before = this.wallClock.now().getTime() - UNKNOWN_MS;
    for (const { id, account, intent, updatedAt } of orders) {
      if (updatedAt.getTime() > before) continue;
      const alarm: AlarmRecord = {
        kind: 'unknown_order',
        subject: id,
        since: updatedAt,
        until: null,
        detail: `It is not known whether ${intent.venue} has ${orderName(intent)} (order ${shortId(id)}).`,
      };
      const isToRaise = (now: Account) =>
        tradingFor(now).unknown?.includes(id) === true && alarmIn(alarmsOf(now), alarm) === undefined;
      if (await this.ledger.read({ account }, (now) => !isToRaise(now.account))) continue;
      await this.ledger.write({ account }, ({ account: now }) => ({
        result: undefined,
        ...(isToRaise(now) && { accounts: [alarmed(now, alarm)] }),
      }));
    }
  }

  #service(): Promise<Account> {
    return this.ledger.read({ account: SERVICE }, ({ account }) => account);
  }

  async #change(change: (service: Account) => Account): Promise<void> {
    const live = await this.ledger.listAccounts({ liveEnabled: true }, { limit: MOST_READERS });
    const logs = [SERVICE, ...new Set([...this.readers, ...live])];
    await this.ledger.write({ account: SERVICE, logs }, ({ account }) => {
      const next = change(account);
      return { result: undefined, ...(next !== account && { accounts: [next] }) };
    });
  }
}
