import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { systemTimeline } from '../../adapters/system/index.js';
import type { DatabaseChoice } from '../settings/values.js';
import type { LiveVenue } from '../wiring/live-venue.js';
import { USE_CASES } from '../wiring/tokens.js';
import { AlarmWatch, type WatchedParts } from './alarm-watch.js';
import { diskRoomOf } from './disk-room.js';
import { repeat } from './repeat.js';

const EVERY_MS = 10_000;

/** What a server has that something may be wrong with. */
interface Watched extends Pick<WatchedParts, 'storage' | 'live' | 'results'> {
  readonly database: DatabaseChoice;
  readonly trading: readonly LiveVenue[];
}

/** Looks every ten seconds for what is wrong. The function returned stops it. */
export function startAlarmWatch(
  container: Container,
  { storage, live, results, database, trading }: Watched,
  logger: Logger,
): () => void {
  const wallets = trading.map(({ exchange: { venue }, wallet }) => ({ venue, wallet }));
  const parts = { storage, live, results, disk: diskRoomOf(database), wallets };
  const watch = new AlarmWatch(container.get(USE_CASES).alarms.raise, parts, logger);
  return repeat(systemTimeline, EVERY_MS, () => watch.look());
}
