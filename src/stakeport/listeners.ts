import { StorageUnavailable } from '../core/errors.js';
import type { AccountId } from '../core/ids.js';
import type { EventType, LoggedEvent } from '../core/ledger/event-log.js';
import { EventsGone } from '../core/ledger/event-log.js';
import type { UseCases } from '../core/usecases/compose.js';
import type { EventLog } from '../ports/event-log.js';
import { eventTypesOf } from './events.js';
import { accountId } from './input.js';

const PAGE = 100;
/** How long a listener waits before it asks a store again that did not answer. */
const AGAIN_MS = 1000;

/** Gets one event. The next one waits for the promise that it returns. */
export type EventListener = (event: LoggedEvent) => unknown;

/** Whose events, and from where on. */
export interface ListenOptions {
  readonly account: string;
  /** The `seq` of the last event that was dealt with: those after it come first. Absent: only what happens from now on. */
  readonly after?: number;
  /** Gets what a listener throws, and why listening ended by itself; by default a process warning. */
  readonly onFault?: (error: unknown) => void;
}

/**
 * Calls the listener for each event of these kinds, one after another and in order, and resolves once it listens, with a
 * function that ends it. Each event comes once while this process runs. A program that keeps the `seq` of the last event that
 * it dealt with, and gives it as `after` when it starts again, misses none, and may get the last one twice. A listener that
 * throws gets the next event all the same; one that is slow holds up nobody else.
 * @throws InputInvalid, EventsGone, StorageUnavailable
 */
export type On = (
  types: EventType | readonly EventType[],
  listener: EventListener,
  options: ListenOptions,
) => Promise<() => void>;

/** All listeners of one Stakeport. */
export class Listeners {
  readonly #ends = new Set<() => void>();

  constructor(
    private readonly events: UseCases['accounts']['events'],
    private readonly log: Pick<EventLog, 'watch'>,
  ) {}

  /** As `Stakeport.on`. */
  readonly on: On = async (types, listener, { account: name, after, onFault = warnOfListener }) => {
    const account = accountId(name);
    const wanted = eventTypesOf(typeof types === 'string' ? [types] : types);
    const { first, last } = await this.events.range(account);
    if (after !== undefined && (after < first - 1 || after > last)) throw new EventsGone(first, last);
    const listening = new Listening(this.events, { account, types: wanted, after: after ?? last, listener });
    const unwatch = this.log.watch(account, () => listening.wake());
    const end = () => {
      listening.end();
      unwatch();
      this.#ends.delete(end);
    };
    this.#ends.add(end);
    void listening.run(onFault).finally(end);
    return end;
  };

  /** Ends them all. */
  close(): void {
    for (const end of [...this.#ends]) end();
  }
}

interface Listened {
  readonly account: AccountId;
  readonly types: readonly EventType[];
  readonly after: number;
  readonly listener: EventListener;
}

/** One listener, which pulls its events. */
class Listening {
  #isOver = false;
  #mayHaveMore = true;
  #ring = () => {};

  constructor(
    private readonly events: UseCases['accounts']['events'],
    private readonly listened: Listened,
  ) {}

  wake(): void {
    this.#mayHaveMore = true;
    this.#ring();
  }

  end(): void {
    this.#isOver = true;
    this.#ring();
  }

  async run(onFault: (error: unknown) => void): Promise<void> {
    let { after } = this.listened;
    while (!this.#isOver) {
      this.#mayHaveMore = false;
      try {
        after = await this.#deliver(after, onFault);
      } catch (error) {
        if (!(error instanceof StorageUnavailable)) return onFault(error);
        setTimeout(() => this.wake(), AGAIN_MS).unref();
      }
      if (!this.#mayHaveMore && !this.#isOver)
        await new Promise<void>((resolve) => {
          this.#ring = resolve;
        });
    }
  }

  async #deliver(after: number, onFault: (error: unknown) => void): Promise<number> {
    const { account, types, listener } = this.listened;
    const { items, next, head } = await this.events.page(account, types, { after, limit: PAGE });
    for (const event of items) {
      if (this.#isOver) return next;
      try {
        await listener(event);
      } catch (error) {
        onFault(error);
      }
    }
    if (next < head) this.#mayHaveMore = true;
    return next;
  }
}

/** Tells of a listener that threw by a warning of the process. */
export function warnOfListener(error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  process.emitWarning(`A listener failed: ${why}`, 'StakeportWarning');
}
