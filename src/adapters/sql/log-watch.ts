import type { AccountId } from '../../core/ids.js';
import type { AccountEvent } from '../../core/ledger/event-log.js';
import { headsOf, LogWatchers } from '../../core/ledger/event-log.js';
import { LOG_HEADS, readingHeads } from './event-table.js';
import type { Announcements, Store } from './store.js';
import { wantingBy } from './table.js';

/** How often the logs of watched accounts are read: the reliable source for what other processes committed. */
const POLL_MS = 1000;
/** How many accounts one statement looks at. */
const AT_ONCE = 1000;

/**
 * Wakes callers that wait for new events: at once for commits of this process, also at once where another server announces its
 * own, and in any case when the log is read, every second. A lost announcement costs that second, and nothing else.
 */
export class LogWatch {
  readonly #watchers = new LogWatchers();
  readonly #announcements: Announcements | undefined;
  readonly #heads;
  #polling: NodeJS.Timeout | null = null;
  #isLooking = false;

  constructor(
    private readonly store: Pick<Store, 'dialect' | 'snapshot' | 'announcements'>,
    /** Whether other processes are notified of what this one commits. */
    announces: boolean,
  ) {
    this.#announcements = store.announcements;
    this.#heads = wantingBy(LOG_HEADS, readingHeads(store.dialect));
    if (announces) this.#open();
  }

  /** As `EventLog.watch`. */
  watch(account: AccountId, wake: () => void): () => void {
    this.#open();
    this.#polling ??= setInterval(() => void this.#look(), POLL_MS).unref();
    const end = this.#watchers.watch(account, wake);
    return () => {
      end();
      if (this.#watchers.accounts.length === 0) this.#pause();
    };
  }

  /** These events became durable. */
  stored(events: readonly AccountEvent[]): void {
    if (events.length === 0) return;
    for (const [account, head] of headsOf(events)) {
      this.#watchers.grown(account, head);
      this.#announcements?.announce(account, head);
    }
  }

  /** Ends everything. */
  async close(): Promise<void> {
    this.#pause();
    await this.#announcements?.close();
  }

  #open(): void {
    this.#announcements?.open((account, head) => this.#watchers.grown(account, head));
  }

  #pause(): void {
    clearInterval(this.#polling ?? undefined);
    this.#polling = null;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { accounts } = this.#watchers;
    try {
      for (let at = 0; at < accounts.length; at += AT_ONCE) await this.#lookAt(accounts.slice(at, at + AT_ONCE));
    } catch {
      // The next check is a second away, and a caller that reads the log gets the same fault.
    }
    this.#isLooking = false;
  }

  async #lookAt(accounts: readonly AccountId[]): Promise<void> {
    const keys = accounts.map((account) => JSON.stringify([account]));
    const wanted = this.#heads(keys, (found) => {
      for (const { account, seq } of found) this.#watchers.grown(account, seq);
    });
    await this.store.snapshot((reads) => reads.read(wanted));
  }
}
