import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { systemTimeline } from '../../adapters/system/index.js';
import { repeat } from '../../core/concurrency/repeat.js';
import type { Order } from '../../core/order/order.js';
import type { RaiseAlarms, ServiceTrouble } from '../../core/usecases/alarms/background/raise-alarms.js';
import type { Doubt } from '../../core/usecases/trading/background/reduce-for-now.js';
import type { VenueWallet } from '../../ports/venue-adapter.js';
import type { DatabaseChoice } from '../settings/values.js';
import type { LiveVenue } from '../wiring/live-venue.js';
import { USE_CASES } from '../wiring/tokens.js';
import { type DiskRoom, diskRoomOf } from './disk-room.js';
import type { ResultBooking } from './result-booking.js';
import type { Outage, StorageHealth } from './storage-health.js';

const LEAST_ROOM = 500_000_000n;

/** The parts of a server that alarms are about. */
export interface WatchedParts {
  readonly storage: Pick<StorageHealth, 'complaint' | 'lastOutage'>;
  /** Null where the database is on no disk of this machine. */
  readonly disk: DiskRoom | null;
  /** Why nothing is recorded on tapes at present; null where nothing is to be, or there is room. */
  readonly recording: { readonly trouble: string | null };
  readonly live: {
    /** Orders with real money that were unknown at the last look. */
    readonly unknown: readonly Order[];
    /** Venues whose orders were not reconciled for too long. */
    readonly late: readonly string[];
  };
  readonly results: Pick<ResultBooking, 'late'>;
  /** What trades with real money, by venue. */
  readonly wallets: readonly { readonly venue: string; readonly wallet: Pick<VenueWallet, 'examine'> }[];
}

/** Looks for what is wrong, and has alarms raised and cleared. Nothing waits for it, and what fails here harms nothing. */
export class AlarmWatch {
  #raised: Outage | null = null;
  #isExamined = false;
  /** What the start found wrong, by venue. */
  readonly #found = new Map<string, string>();
  #fails = false;

  constructor(
    private readonly raise: Pick<RaiseAlarms, 'report' | 'clear' | 'unknown'>,
    private readonly parts: WatchedParts,
    private readonly logger: Logger,
  ) {}

  /** Call it every ten seconds or so. Never throws. */
  async look(): Promise<void> {
    if ((await this.parts.storage.complaint()) !== null) return;
    try {
      await this.#look();
      this.#fails = false;
    } catch (error) {
      if (!this.#fails) this.logger.error({ err: error }, 'could not raise alarms; retrying');
      this.#fails = true;
    }
  }

  async #look(): Promise<void> {
    const { live } = this.parts;
    await this.#storage();
    await this.raise.unknown(live.unknown);
    for (const subject of live.late) {
      const detail = `The orders on record were not reconciled with ${subject} for five minutes.`;
      await this.raise.report({ kind: 'reconciliation_late', subject, detail });
    }
    const { late } = this.parts.results;
    if (late !== null) await this.raise.report({ kind: 'results_late', subject: '', ...late });
    await this.#disk();
    const { trouble } = this.parts.recording;
    if (trouble !== null) {
      const detail = `Recording has stopped: ${trouble}.`;
      await this.raise.report({ kind: 'disk_low', subject: 'tapes', detail });
    }
    if (!this.#isExamined) await this.#examine();
    // Reported while this server runs: another one that finds nothing says nothing about what this one found.
    for (const [subject, detail] of this.#found) await this.raise.report({ kind: 'doctor', subject, detail });
    await this.raise.clear();
  }

  /** Reports an outage afterwards, because nothing could be written during it. */
  async #storage(): Promise<void> {
    const outage = this.parts.storage.lastOutage;
    if (outage === null || outage === this.#raised) return;
    const { from, to } = outage;
    const detail = `Storage took no writes from ${from.toISOString()} to ${to.toISOString()}.`;
    await this.raise.report({ kind: 'storage_trouble', subject: '', detail, since: from });
    this.#raised = outage;
  }

  async #disk(): Promise<void> {
    const free = (await this.parts.disk?.free().catch(() => null)) ?? null;
    if (free === null || free >= LEAST_ROOM) return;
    const detail = `The disk of the database has ${free / 1_000_000n} MB left.`;
    await this.raise.report({ kind: 'disk_low', subject: '', detail });
  }

  /** Once, at the start. A venue that cannot be asked says nothing of the wallet. */
  async #examine(): Promise<void> {
    this.#isExamined = true;
    for (const { venue, wallet } of this.parts.wallets) {
      const examined = await wallet.examine().catch((error: unknown) => {
        this.logger.warn({ err: error, venue }, 'could not examine the wallet');
        return null;
      });
      if (examined === null) continue;
      const wrong = examined.checks.filter(({ level }) => level === 'missing').map(({ words }) => words);
      for (const words of wrong) this.logger.error({ venue }, words);
      if (wrong.length > 0) this.#found.set(venue, wrong.join(' '));
    }
  }
}

/** What raises the alarm about a doubt. */
export const troubleOf = ({ code, reason }: Doubt): ServiceTrouble => ({
  kind: code === 'clock_off' ? code : 'feed_stale',
  subject: '',
  detail: `${reason}.`,
});

const EVERY_MS = 10_000;

/** What a server has that something may be wrong with. */
interface Watched extends Pick<WatchedParts, 'storage' | 'live' | 'results' | 'recording'> {
  readonly database: DatabaseChoice;
  readonly trading: readonly LiveVenue[];
}

/** Looks every ten seconds for what is wrong. The function returned stops it. */
export function startAlarmWatch(
  container: Container,
  { database, trading, ...watched }: Watched,
  logger: Logger,
): () => void {
  const wallets = trading.map(({ exchange: { venue }, wallet }) => ({ venue, wallet }));
  const parts = { ...watched, disk: diskRoomOf(database), wallets };
  const watch = new AlarmWatch(container.get(USE_CASES).alarms.raise, parts, logger);
  return repeat(systemTimeline, EVERY_MS, () => watch.look());
}
