import type { AccountId } from '../../core/ids.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import { StorageFault } from './fault.js';
import type { KnownVersions, Remembered, RowKind } from './remembered.js';
import { AT_RISK } from './remembered.js';
import type { GuardedStore, Store } from './store.js';

type Compared<T> = Pick<RowKind<T>, 'want' | 'keyOf' | 'textOf'>;

interface Difference {
  readonly account: AccountId;
  readonly text: string;
}

/** Compares what is remembered with the database. */
export class StoreCheck {
  constructor(
    private readonly store: Store,
    private readonly guarded: GuardedStore,
  ) {}

  /**
   * Call once a group was stored, before the next one is; `deciding` is the set of the next one, as far as it is decided.
   * @throws StorageFault that is `broken` where the database has something else of an account, though of the same version
   */
  async check(remembered: Remembered, known: KnownVersions, deciding: WorkingSet | null): Promise<void> {
    const { accounts, balances, strategies, exposures, positions, heads, risks } = remembered;
    const found = [
      // First: what is decided meanwhile changes them.
      ...(await this.#differences(AT_RISK, risks.except(deciding))),
      ...(await this.#differences(accounts.kind, accounts.all)),
      ...(await this.#differences(balances.kind, balances.all)),
      ...(await this.#differences(strategies.kind, strategies.all)),
      ...(await this.#differences(exposures.kind, exposures.all)),
      ...(await this.#differences(positions.kind, positions.all)),
      ...(await this.#differences(heads.kind, heads.all)),
    ];
    if (found.length === 0) return;
    const now = await this.guarded.versions(found.map(({ account }) => account));
    const wrong = found.filter(({ account }) => known.of(account)?.version === now.get(account));
    if (wrong.length === 0) return;
    const texts = wrong.map(({ text }) => text).join('; ');
    throw new StorageFault('broken', new Error(`What is remembered is not what is stored: ${texts}`));
  }

  async #differences<T>(kind: Compared<T>, remembered: ReadonlyMap<string, readonly T[]>): Promise<Difference[]> {
    const { want, keyOf, textOf } = kind;
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
      const text = `${theirs} is stored, and ${own} remembered`;
      return own === theirs ? [] : [{ account: JSON.parse(key)[0], text }];
    });
  }
}
