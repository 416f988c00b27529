import { systemTimeline } from '../adapters/system/index.js';
import { openLiveVenue, openSigner } from './live-venue.js';
import { createLogger } from './log.js';
import { configOrExit } from './run.js';

/**
 * `stakeport cancel-all`: cancels every order that the wallet has at the exchange, whoever placed it, beside a running server
 * or without one. Touches no record: a server books what it sees of it. Safe to repeat.
 */
export async function cancelAll(): Promise<void> {
  const { live, logLevel } = configOrExit({ LIVE_TRADING: 'on' });
  const signer = await openSigner(live);
  if (live === null || signer === null) return;
  try {
    const venue = await openLiveVenue(live, signer, systemTimeline, createLogger(logLevel), true);
    const told = await venue.cancelAll().finally(() => venue.close());
    if (told === null) return fail('The exchange did not say what it did: run it again.');
    process.stdout.write(`Cancelled ${told.cancelled} orders at the exchange; ${told.gone} were gone already.\n`);
    for (const [order, reason] of told.kept) fail(`Not cancelled: ${order} (${reason})`);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(words: string): void {
  process.stderr.write(`${words}\n`);
  process.exitCode = 1;
}
