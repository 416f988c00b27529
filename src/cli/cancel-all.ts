import { systemTimeline } from '../adapters/system/index.js';
import type { VenueName } from '../core/ids.js';
import type { CancelledAll } from '../ports/venue-adapter.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { failureOf } from '../server/failures/failure.js';
import { createLogger } from '../server/http/log.js';
import { configuredWallet } from '../server/settings/configured.js';
import { type LiveVenue, openLiveVenue, openWallet } from '../server/wiring/live-venue.js';
import { print, printJson } from './print.js';

/** How the result is printed. */
export interface CancelAllOptions {
  /** One JSON document on standard output in place of lines. */
  readonly json?: boolean;
}

/**
 * `stakeport cancel-all`: cancels every order of the configured wallet at its venue, no matter what placed it, beside a
 * running server or without one. Changes no record: a server books what it sees of it. Safe to repeat.
 */
export async function cancelAll({ json = false }: CancelAllOptions): Promise<void> {
  const venue = await opened();
  const { venue: name } = venue.wallet;
  const result = await venue.cancelAll().finally(() => venue.close());
  if (result === null) {
    const words = `${name} did not report the result: orders may be cancelled, or still resting. Run it again.`;
    throw new CommandFailed(words, EXIT.unavailable);
  }
  if (json) printJson(rowOf(name, result));
  else print(`Cancelled ${result.cancelled} orders at ${name}; ${result.gone} were already gone.`);
  if (result.kept.size === 0) return;
  const kept = [...result.kept].map(([order, reason]) => `Not cancelled at ${name}: ${order} (${reason})`);
  throw new CommandFailed(kept.join('\n'), EXIT.no);
}

async function opened(): Promise<LiveVenue> {
  try {
    const wallet = await openWallet(configuredWallet());
    if (wallet === null) throw new CommandFailed('No key is configured.', EXIT.config);
    return await openLiveVenue(wallet, systemTimeline, createLogger('warn'), true);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    throw new CommandFailed(`Nothing was cancelled. ${failure.message}`, failure.exit, error);
  }
}

function rowOf(venue: VenueName, { cancelled, gone, kept }: CancelledAll): object {
  return { venue, cancelled, gone, kept: [...kept].map(([orderId, reason]) => ({ orderId, reason })) };
}
