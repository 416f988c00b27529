import { asDomainError, type StorageFault } from './fault.js';
import type { StoreAccess } from './sql-event-log.js';
import type { Store } from './store.js';

/** Turns the errors of a store into the domain's; those of changes are noted first. */
export const storeAccess = (
  store: Pick<Store, 'judge'>,
  noting: { note(fault: StorageFault): StorageFault; saw(fault: StorageFault): StorageFault },
): StoreAccess => ({
  async read(ask) {
    try {
      return await ask();
    } catch (error) {
      throw asDomainError(noting.saw(store.judge(error)));
    }
  },
  async write(ask) {
    try {
      return await ask();
    } catch (error) {
      throw asDomainError(noting.note(store.judge(error)));
    }
  },
});
