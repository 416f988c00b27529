import type { AccountId } from '../../core/ids.js';
import { RecentMap } from './recent-map.js';
import type { HomeFound } from './store.js';

/** At most one statement in this time, for as many accounts as this. */
const PACE_MS = 1000;
const AT_ONCE = 1000;
/** So that the first writes of many accounts are one statement. */
const SOON_MS = 20;
/** Well before what is known of an account is over. */
const ASK_AGAIN_MS = 2000;
/** By then, whoever else writes the account left word at its home. */
const SETTLED_MS = ASK_AGAIN_MS + PACE_MS;
const REMEMBERED = 20_000;

/** Claims the homes of accounts; resolves with what is known of each. */
export type ClaimHomes = (accounts: readonly AccountId[]) => Promise<readonly HomeFound[]>;

/** `here`: for some time now, no other server wrote the account. `shared`: another one is its home, or writes it too. */
export type Home = 'here' | 'shared' | 'unknown';

interface Known {
  readonly isShared: boolean;
  readonly since: number;
  readonly until: number;
  readonly askAgainAt: number;
}

/**
 * Which accounts have their home at this server: the one that wrote an account when no other had it as its home, as long as
 * it goes on. Only a hint: it may be wrong, late or missing, and then writes are slower and nothing else.
 */
export class AccountHomes {
  readonly #known = new RecentMap<Known>(REMEMBERED);
  readonly #written = new Set<AccountId>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #asking: Promise<void> | null = null;
  #isOver = false;

  /** Without `claim`, nothing is ever known. */
  constructor(
    private readonly claim?: ClaimHomes,
    private readonly settledMs = SETTLED_MS,
  ) {}

  of(account: AccountId): Home {
    const known = this.#known.get(account);
    const now = performance.now();
    if (known === undefined || known.until <= now) return 'unknown';
    if (known.isShared) return 'shared';
    return now - known.since < this.settledMs ? 'unknown' : 'here';
  }

  /** This server writes the account: its home is claimed soon, unless it was just now. */
  wrote(account: AccountId): void {
    if (this.claim === undefined || this.#written.size >= AT_ONCE) return;
    if ((this.#known.get(account)?.askAgainAt ?? 0) > performance.now()) return;
    this.#written.add(account);
    this.#plan();
  }

  /** What is known of the account is in doubt. */
  forget(account: AccountId): void {
    this.#known.delete(account);
  }

  /** Claims nothing more, and resolves once nothing is on its way. */
  async end(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer ?? undefined);
    await this.#asking;
  }

  #plan(): void {
    if (this.#timer !== null || this.#asking !== null || this.#isOver) return;
    const pause = Math.max(SOON_MS, this.#askedAt + PACE_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#asking = this.#ask();
    }, pause).unref();
  }

  async #ask(): Promise<void> {
    const accounts = [...this.#written];
    this.#written.clear();
    this.#askedAt = performance.now();
    try {
      for (const found of (await this.claim?.(accounts)) ?? []) this.#take(found, this.#askedAt);
    } catch {
      // What is known lapses by itself, and the accounts are claimed when they are written again.
    }
    this.#asking = null;
    if (this.#written.size > 0) this.#plan();
  }

  #take({ account, isOwn, lastsMs, visitedMs }: HomeFound, at: number): void {
    const isShared = !isOwn || visitedMs > 0;
    const before = this.#known.get(account);
    const isSame = before !== undefined && before.isShared === isShared && before.until > at;
    const until = at + (isOwn && isShared ? visitedMs : lastsMs);
    this.#known.put(account, { isShared, since: isSame ? before.since : at, until, askAgainAt: at + ASK_AGAIN_MS });
  }
}
