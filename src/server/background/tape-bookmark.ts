import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Bookmarks } from '../../ports/ledger.js';
import type { Timeline } from '../../ports/system.js';
import type { PlayedTape } from '../wiring/market-source.js';

const AS_FAST_AS_CAN_BE_MS = 60_000;
const LAST_WITHIN_MS = 1000;

/** Records how far a tape was played, so that a restart never replays what a client knows. */
export class TapeBookmark {
  /** How much of its own time a tape plays in about a second. */
  readonly everyMs: number;

  constructor(
    private readonly bookmarks: Bookmarks,
    private readonly tape: Pick<PlayedTape, 'name' | 'speed' | 'ended'>,
    private readonly timeline: Timeline,
    private readonly logger: Logger,
  ) {
    this.everyMs = tape.speed === 'max' ? AS_FAST_AS_CAN_BE_MS : Math.ceil(tape.speed * 1000);
  }

  /** Call only within a task of the tape, which runs once everything before it is on record. Never throws. */
  async set(): Promise<void> {
    try {
      const now = this.timeline.now();
      // A tape may be extended later: nothing after its present end has been played.
      await this.bookmarks.setBookmark(this.tape.name, now > this.tape.ended ? this.tape.ended : now);
    } catch (error) {
      this.logger.error({ err: error }, 'could not record how far the tape was played; retrying');
    }
  }

  /** The last one, before the tape stops. If the tape does not get there within a second, the previous one stands. */
  async setLast(): Promise<void> {
    const set = new Promise<void>((resolve) => {
      this.timeline.at(this.timeline.now(), () => this.set().then(resolve));
    });
    await Promise.race([set, delay(LAST_WITHIN_MS, undefined, { ref: false })]);
  }
}
