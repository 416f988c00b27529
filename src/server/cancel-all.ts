import { systemTimeline } from '../adapters/system/index.js';
import { CommandFailed } from './command-failed.js';
import { configured } from './configured.js';
import { EXIT } from './exit-codes.js';
import { openLiveVenue, openSigner } from './live-venue.js';
import { createLogger } from './log.js';
import { print } from './print.js';

/**
 * `stakeport cancel-all`: cancels every order that the wallet has at the exchange, whoever placed it, beside a running server
 * or without one. Touches no record: a server books what it sees of it. Safe to repeat.
 */
export async function cancelAll(): Promise<void> {
  const { live, logLevel } = configured({ LIVE_TRADING: 'on' });
  const signer = await openSigner(live);
  if (live === null || signer === null) return;
  const venue = await openLiveVenue(live, signer, systemTimeline, createLogger(logLevel), true);
  const told = await venue.cancelAll().finally(() => venue.close());
  if (told === null) throw new CommandFailed('The exchange did not say what it did: run it again.', EXIT.unavailable);
  print(`Cancelled ${told.cancelled} orders at the exchange; ${told.gone} were gone already.`);
  if (told.kept.size === 0) return;
  const kept = [...told.kept].map(([order, reason]) => `Not cancelled: ${order} (${reason})`);
  throw new CommandFailed(kept.join('\n'), EXIT.no);
}
