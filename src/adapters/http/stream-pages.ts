import type { AccountId } from '../../core/ids.js';
import type { EventType, LoggedEvent } from '../../core/ledger/event-log.js';
import type { ReadEvents } from '../../core/usecases/accounts/read-events.js';
import type { EventLog } from '../../ports/event-log.js';
import { presentEvent, withWarnings } from './event-wire.js';
import { inTextPieces, sentEvent } from './sent-event.js';

/** The most events that a client of a stream has in memory. */
const PAGE = 100;
/** At most 20 times a second, so that under load one page has what many commits added. */
const PACE_MS = 50;

/** Events as they are sent. */
export interface StreamPage {
  readonly pieces: readonly Buffer[];
  readonly next: number;
  readonly head: number;
}

/** What the pages of streams are made from. */
export interface PageParts {
  readonly readEvents: Pick<ReadEvents, 'page' | 'range'>;
  readonly log: Pick<EventLog, 'watch'>;
  /** The sports of the venues, for the warnings of strategies; null where they are not known. */
  readonly knownSports: () => readonly string[] | null;
}

/**
 * The log of one account for all of its streams: clients that follow its end ask for the same page at the same moment, and it
 * is read and written as text once for all of them.
 */
export class StreamPages {
  readonly #reading = new Map<string, Promise<StreamPage>>();
  readonly #wakes = new Set<() => void>();
  #unwatch = () => {};
  #wokenAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly account: AccountId,
    private readonly parts: PageParts,
  ) {}

  /** Calls `wake` when there may be new events. The function returned ends it. */
  watch(wake: () => void): () => void {
    if (this.#wakes.size === 0) this.#unwatch = this.parts.log.watch(this.account, () => this.#plan());
    this.#wakes.add(wake);
    return () => {
      this.#wakes.delete(wake);
      if (this.#wakes.size > 0) return;
      this.#unwatch();
      clearTimeout(this.#timer ?? undefined);
      this.#timer = null;
    };
  }

  /** Whether nobody watches. */
  get isIdle(): boolean {
    return this.#wakes.size === 0;
  }

  /** The numbers of the first and the last event. */
  range(): Promise<{ readonly first: number; readonly last: number }> {
    return this.parts.readEvents.range(this.account);
  }

  /** @throws EventsGone, StorageUnavailable */
  page(after: number, types: readonly EventType[] | null): Promise<StreamPage> {
    const name = `${after} ${types?.join() ?? ''}`;
    const reading = this.#reading.get(name) ?? this.#read(after, types).finally(() => this.#reading.delete(name));
    this.#reading.set(name, reading);
    return reading;
  }

  async #read(after: number, types: readonly EventType[] | null): Promise<StreamPage> {
    const { items, next, head } = await this.parts.readEvents.page(this.account, types, { after, limit: PAGE });
    const pieces = inTextPieces(items.map((event) => this.#text(event)));
    return { pieces: pieces.map((piece) => Buffer.from(piece)), next, head };
  }

  #text(event: LoggedEvent): string {
    const shown = presentEvent(event, withWarnings(this.parts.knownSports()));
    return sentEvent(shown.type, shown, shown.seq);
  }

  #plan(): void {
    const pause = this.#wokenAt + PACE_MS - performance.now();
    if (pause <= 0) this.#wake();
    else this.#timer ??= setTimeout(() => this.#wake(), pause);
  }

  #wake(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    this.#wokenAt = performance.now();
    for (const wake of this.#wakes) wake();
  }
}
