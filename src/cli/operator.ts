import { sha256, systemClock, uuidV7 } from '../adapters/system/system.js';
import { accountUseCases } from '../core/usecases/compose.js';
import type { Ledger } from '../ports/ledger.js';

/**
 * The use cases of an operator on this ledger, in the time of this machine. A command knows the database and not the venues of
 * the program that uses it, so an audit relies on the record.
 */
export const operatorOn = (ledger: Ledger): ReturnType<typeof accountUseCases> =>
  accountUseCases(ledger, { clock: systemClock, ids: uuidV7, digest: sha256, venues: null });
