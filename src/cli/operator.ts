import { sha256, systemClock, uuidV7 } from '../adapters/system/system.js';
import type { OrderContext } from '../core/posting/order-context.js';
import { accountUseCases } from '../core/usecases/compose.js';
import type { Ledger } from '../ports/ledger.js';

/** A server simulates paper orders itself, and reaches every venue of real money over the network. */
const venues: OrderContext['venues'] = { isLocal: ({ paper }) => paper };

/** The use cases of an operator on this ledger, in the time of this machine. */
export const operatorOn = (ledger: Ledger): ReturnType<typeof accountUseCases> =>
  accountUseCases(ledger, { clock: systemClock, ids: uuidV7, digest: sha256, venues });
