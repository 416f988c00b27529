import type { Scope } from '../../core/ledger/decision.js';
import { newAccount, WorkingSet } from '../../core/ledger/working-set.js';
import type { QueuedWrite } from './batch.js';
import { changesOf } from './change-writer.js';
import type { CheckedGroups } from './checked-groups.js';
import { StorageFault } from './fault.js';
import type { Health } from './health.js';
import { Remembered } from './remembered.js';
import { accountsNamed, type Loading, SnapshotLoader } from './snapshot-loader.js';
import type { GuardedStore, Store, Version } from './store.js';
import { StoreCheck } from './store-check.js';

/** Writes that are decided on one working set, and stored with one statement. */
interface Group extends Loading {
  readonly jobs: QueuedWrite[];
  /** True when what it was decided on does not hold: it has to be decided again, in a transaction. */
  isVoid: boolean;
}

/** How much is remembered between groups, and whether it is compared with the database after each. */
export interface OverlapTerms {
  readonly remembered: number;
  readonly isProven: boolean;
}

/** A group whose turn it is to be stored, and a promise that it is settled. */
interface Storing {
  readonly group: Group;
  readonly done: Promise<void>;
}

/**
 * Decides groups of writes on what the group before leaves, while that one is being stored. One group is stored at a time,
 * and all writes that come meanwhile form the next one. Nothing is locked while they are decided: the database stores a
 * group only if nobody else wrote since what it was decided on was read. Otherwise, and after any other failure, all that
 * is remembered is dropped, and what is not stored is decided again, in transactions. Nobody is answered before.
 */
export class OverlappedGroups {
  readonly #loader: SnapshotLoader;
  readonly #check: StoreCheck | null;
  #remembered: Remembered;
  /** What is remembered is of this version; null when nothing is. */
  #version: Version | null = null;
  #forming: Group | null = null;
  #isDeciding = false;
  #storing: Storing | null = null;

  constructor(
    private readonly store: Store,
    private readonly guarded: GuardedStore,
    private readonly checked: CheckedGroups,
    private readonly health: Health,
    private readonly terms: OverlapTerms,
  ) {
    this.#loader = new SnapshotLoader(store.dialect);
    this.#remembered = new Remembered(terms.remembered);
    this.#check = terms.isProven ? new StoreCheck(store, guarded) : null;
  }

  /** How many writes have been decided that wait for the group before. */
  get waiting(): number {
    return this.#forming?.jobs.length ?? 0;
  }

  /** Resolves once the group that is being stored is answered. */
  async next(): Promise<void> {
    await this.#storing?.done;
  }

  /** Resolves once every write that was decided is answered. */
  async settled(): Promise<void> {
    while (this.#storing !== null) await this.next();
  }

  /** Decides writes on everything that was decided before; each is answered once it is stored. One call at a time. */
  async decide(jobs: readonly QueuedWrite[]): Promise<void> {
    // After a failure, nothing new begins before what failed was decided again.
    if (this.#forming === null && this.#version === null) await this.next();
    this.#forming ??= this.#begin();
    const group = this.#forming;
    this.#isDeciding = true;
    const scopes = jobs.map(({ scope }) => scope);
    if (!group.isVoid && !(await this.#load(group, scopes))) group.isVoid = true;
    this.#isDeciding = false;
    const at = new Date();
    if (!group.isVoid) for (const job of jobs) job.decide(group.set, at);
    group.jobs.push(...jobs);
    this.#storeNext();
  }

  #begin(): Group {
    // A group that would be refused need not be decided first.
    if (this.#storing === null && this.#version !== null && !this.guarded.mayHold(this.#version)) this.#forget();
    const set = new WorkingSet();
    const before = this.#storing?.group.set ?? null;
    if (before !== null) set.follow(before);
    return { set, before, known: new Set(), remembered: this.#remembered, jobs: [], isVoid: false };
  }

  /** Returns whether everything that the scopes name is in the set. */
  async #load(group: Group, scopes: readonly Scope[]): Promise<boolean> {
    try {
      this.#version ??= await this.guarded.version();
      await this.#loader.add(this.guarded, scopes, group);
    } catch {
      // The transaction in which it is decided again meets the same fault, if it lasts.
      return false;
    }
    for (const account of scopes.flatMap(accountsNamed)) {
      if (group.set.accounts.get(account) === undefined) group.set.accounts.put(account, newAccount(account));
    }
    return true;
  }

  #storeNext(): void {
    const group = this.#forming;
    if (group === null || this.#isDeciding || this.#storing !== null) return;
    this.#forming = null;
    const done = this.#settle(group).then(() => {
      this.#storing = null;
      this.#storeNext();
    });
    this.#storing = { group, done };
  }

  async #settle(group: Group): Promise<void> {
    const fault = group.isVoid ? null : await this.#attempt(group);
    if (!group.isVoid && fault === null) {
      this.health.stored();
      for (const job of group.jobs) job.answer();
      return;
    }
    this.#forget();
    // What a transaction would not repair is settled as it is: whether it was stored is not known.
    if (fault === null || fault.kind === 'conflict' || fault.kind === 'refused') await this.checked.commit(group.jobs);
    else await this.checked.settle(group.jobs, fault);
  }

  #forget(): void {
    if (this.#forming !== null) this.#forming.isVoid = true;
    this.#remembered = new Remembered(this.terms.remembered);
    this.#version = null;
  }

  /** Returns why the group could not be stored. */
  async #attempt(group: Group): Promise<StorageFault | null> {
    if (this.health.broken !== null) return this.health.broken;
    try {
      const changes = changesOf(group.set);
      this.#remembered.learn(group.set);
      // Before, so that a truncated file is not overwritten; after, because a write to a deleted file is not stored.
      this.store.check();
      if (this.#version === null) throw new StorageFault('conflict', new Error('nothing was read'));
      await this.guarded.store(changes, this.#version);
      await this.#check?.check(this.#remembered, this.#version);
      this.store.check();
      return null;
    } catch (error) {
      return this.store.judge(error);
    }
  }
}
