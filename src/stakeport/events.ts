import { EVENT_TYPES, type EventType } from '../core/ledger/event-log.js';
import type { EventPage } from '../core/usecases/accounts/read-events.js';
import type { UseCases } from '../core/usecases/compose.js';
import { accountId, type PageRequest, pageOf, refuse, shownBriefly } from './input.js';

/** Which events to read. `after` is the `seq` of an event; absent: from the oldest that is kept. */
export interface EventRequest extends PageRequest<number> {
  /** Only these kinds. */
  readonly types?: readonly EventType[];
}

/** The event log of each account: every change is one event, numbered from 1 in the order of commits, without holes. */
export interface Events {
  /**
   * Oldest first. Go on from `next` until it is `head`.
   *
   * @throws InputInvalid, EventsGone, StorageUnavailable
   *
   * @example
   * ```ts
   * import { createStakeport } from 'stakeport';
   *
   * const { events } = createStakeport();
   * const { items, next } = await events.list('me', { types: ['order.fill'] });
   * for (const { seq, data } of items) if (data.kind === 'order') console.log(seq, data.order.id);
   * const more = await events.list('me', { types: ['order.fill'], after: next });
   * ```
   */
  list(account: string, request?: EventRequest): Promise<EventPage>;
}

/** The methods that read event logs. */
export function eventsOf({ accounts: { events } }: UseCases): Events {
  return {
    async list(account, request = {}) {
      const page = pageOf(request, ['types']);
      const { types = null } = request;
      if (page.after !== undefined && !(Number.isSafeInteger(page.after) && page.after >= 0))
        throw refuse('after', `must be the seq of an event, or 0; got ${shownBriefly(page.after)}`);
      return events.page(accountId(account), types === null ? null : eventTypesOf(types), page);
    },
  };
}

/** The types, if there are such. @throws InputInvalid */
export function eventTypesOf(types: readonly EventType[]): readonly EventType[] {
  const stranger = types.find((type) => !EVENT_TYPES.includes(type));
  if (stranger === undefined) return types;
  throw refuse('types', `must be of ${EVENT_TYPES.join(', ')}; got ${shownBriefly(stranger)}`);
}
