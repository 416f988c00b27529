import { systemTimeline } from '../adapters/system/index.js';
import type { HoldingsComparison } from '../core/usecases/accounts/audit-holdings.js';
import type { Ledger } from '../ports/ledger.js';
import { otherWallet } from '../server/background/live-work.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { failureOf } from '../server/failures/failure.js';
import { createLogger } from '../server/http/log.js';
import { configuredWallet } from '../server/settings/configured.js';
import { adapterNamed, VENUE_ADAPTERS } from '../server/venues.js';
import { type LiveVenue, openLiveVenue, openWallet } from '../server/wiring/live-venue.js';
import { operatorOn } from './operator.js';

/** What the comparison of the books with a venue found, or why there is none. */
export type VenueCompared =
  | HoldingsComparison
  | { readonly kind: 'unknown'; readonly venue: string; readonly reason: string };

/** Connects to the venue of that name, to read there. @throws CommandFailed where it cannot be compared with */
export async function openedToCompare(named: string): Promise<LiveVenue> {
  const adapter = adapterNamed(named);
  if (adapter?.netsOutcomes !== true) {
    const nets = VENUE_ADAPTERS.filter(({ netsOutcomes }) => netsOutcomes === true).map(({ name }) => name);
    const words = `No net positions and cash are compared at ${named}. The venues with those are: ${nets.join(', ')}.`;
    throw new CommandFailed(`Nothing was audited. ${words}`, EXIT.usage);
  }
  try {
    const wallet = await openWallet(configuredWallet(named));
    if (wallet === null) throw new CommandFailed('No key is configured.', EXIT.config);
    return await openLiveVenue(wallet, systemTimeline, createLogger('warn'), true);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    throw new CommandFailed(`Nothing was audited. ${failure.message}`, failure.exit, error);
  }
}

/** Compares the books with that venue. Never with another wallet than theirs: its positions would say nothing of them. */
export async function comparedWith(ledger: Ledger, { exchange, wallet }: LiveVenue): Promise<VenueCompared> {
  const foreign = await otherWallet(ledger, wallet);
  if (foreign !== null) return { kind: 'unknown', venue: wallet.venue, reason: foreign };
  return { venue: wallet.venue, ...(await operatorOn(ledger).auditHoldings(exchange).execute()) };
}

/** Whether the venue agrees with the books; null where that is not known. */
export function agreesWith(compared: VenueCompared): boolean | null {
  if (compared.kind === 'unknown') return null;
  const verdicts = compared.findings.map(({ verdict }) => verdict);
  if (verdicts.includes('differs')) return false;
  return verdicts.includes('unknown') ? null : true;
}

const VERDICTS = new Map([
  [true, 'agrees with the books'],
  [false, 'does not agree with the books'],
  [null, 'may agree with the books or not: it is not known'],
] as const);

/** Each figure that is not equal, and the verdict. */
export function comparisonInWords(compared: VenueCompared): string {
  const verdict = `${compared.venue} ${VERDICTS.get(agreesWith(compared))}.`;
  if (compared.kind === 'unknown') return `${verdict} ${compared.reason}`;
  const lines = compared.findings.map(({ message }) => `  ${message}`);
  return [`${verdict} Compared: net positions ${compared.markets}, and the cash.`, ...lines].join('\n');
}

/** The same for machines. */
export function comparisonWire(compared: VenueCompared): object {
  const agrees = agreesWith(compared);
  if (compared.kind === 'unknown') return { name: compared.venue, agrees, reason: compared.reason };
  return { name: compared.venue, agrees, markets: compared.markets, findings: compared.findings };
}
