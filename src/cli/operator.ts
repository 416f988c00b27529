import { sha256, systemClock, uuidV7 } from '../adapters/system/system.js';
import { accountUseCases } from '../core/usecases/compose.js';
import type { Ledger } from '../ports/ledger.js';

/** The use cases of an operator on this ledger, in the time of this machine. */
export const operatorOn = (ledger: Ledger): ReturnType<typeof accountUseCases> =>
  accountUseCases(ledger, { clock: systemClock, ids: uuidV7, digest: sha256 });
