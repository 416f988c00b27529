import { StorageFault } from './fault.js';
import type { RecentRows } from './recent-rows.js';
import type { Remembered } from './remembered.js';
import type { GuardedStore, Store, Version } from './store.js';

/** Compares what is remembered with the database. */
export class StoreCheck {
  constructor(
    private readonly store: Store,
    private readonly guarded: GuardedStore,
  ) {}

  /**
   * Call once a group was stored, before the next one is.
   * @throws StorageFault that is `broken` where the database has something else, though it still is of this version
   */
  async check(remembered: Remembered, version: Version): Promise<void> {
    const { accounts, balances, strategies, exposures, positions, heads } = remembered;
    const wrong = [
      ...(await this.#differences(accounts)),
      ...(await this.#differences(balances)),
      ...(await this.#differences(strategies)),
      ...(await this.#differences(exposures)),
      ...(await this.#differences(positions)),
      ...(await this.#differences(heads)),
    ];
    if (wrong.length === 0) return;
    const now = await this.guarded.version();
    if (now.own !== version.own || now.others !== version.others) return;
    throw new StorageFault('broken', new Error(`What is remembered is not what is stored: ${wrong.join('; ')}`));
  }

  async #differences<T>(rows: RecentRows<T>): Promise<string[]> {
    const { want, keyOf, textOf } = rows.kind;
    const remembered = rows.all;
    const stored = new Map<string, string[]>();
    const wanted = want(this.store.dialect)([...remembered.keys()], (found) => {
      for (const row of found) {
        const key = JSON.stringify(keyOf(row));
        stored.set(key, [...(stored.get(key) ?? []), textOf(row)]);
      }
    });
    if (wanted.length > 0) await this.guarded.read(wanted);
    return [...remembered].flatMap(([key, kept]) => {
      const [own, theirs] = [kept.map(textOf), stored.get(key) ?? []].map((texts) => texts.sort().join());
      return own === theirs ? [] : [`${theirs} is stored, and ${own} remembered`];
    });
  }
}
