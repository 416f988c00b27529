import type { HoldingFilter, Position, PositionKey } from '../account/position.js';
import type { AccountId } from '../ids.js';
import { HeldRisks } from '../limits/risk.js';

/** One kind of record: those loaded, and those put since. */
export class Records<Key, T> {
  readonly #known = new Map<string, T>();
  readonly #changed = new Map<string, T>();
  /** Those that changed since, as they were. */
  readonly #loaded = new Map<string, T>();

  constructor(private readonly name: (key: Key) => string) {}

  get(key: Key): T | undefined {
    return this.#known.get(this.name(key));
  }

  /** Takes in a record as it is stored. */
  load(key: Key, record: T): void {
    this.#known.set(this.name(key), record);
  }

  /** Takes in a record as it was stored, unless one is known: that one is newer. */
  offer(key: Key, record: T): void {
    const name = this.name(key);
    if (!this.#known.has(name)) this.#known.set(name, record);
  }

  /** Takes in what `before` is to store, as if it were stored. */
  follow(before: Records<Key, T>): void {
    for (const [name, record] of before.#changed) this.#known.set(name, record);
  }

  /** Takes in a record that is to be stored. */
  put(key: Key, record: T): void {
    const name = this.name(key);
    const before = this.#known.get(name);
    if (before !== undefined && !this.#changed.has(name)) this.#loaded.set(name, before);
    this.#known.set(name, record);
    this.#changed.set(name, record);
  }

  /** A record that changed as it is stored until then; undefined where it is not. */
  loaded(key: Key): T | undefined {
    return this.#loaded.get(this.name(key));
  }

  putAll(records: readonly T[] | undefined, keyOf: (record: T) => Key): void {
    for (const record of records ?? []) this.put(keyOf(record), record);
  }

  drop(key: Key): void {
    for (const records of [this.#known, this.#changed, this.#loaded]) records.delete(this.name(key));
  }

  all(): T[] {
    return [...this.#known.values()];
  }

  changed(): T[] {
    return [...this.#changed.values()];
  }
}

/** Whose risks: what an account holds, or the part of one strategy. */
export interface RiskHolder extends HoldingFilter {
  readonly account: AccountId;
}

/** The name of a holder, as JSON that begins with its account. */
export const holderName = ({ account, paper, strategyId }: RiskHolder): string =>
  JSON.stringify([account, paper, strategyId ?? '']);

/** What holders may lose, each from when it is first asked for; from then on it changes with their positions. */
export class HolderRisks {
  readonly #known = new Map<string, HeldRisks<Position>>();

  constructor(private readonly positions: Pick<Records<PositionKey, Position>, 'all' | 'changed'>) {}

  /** By name. */
  get all(): ReadonlyMap<string, HeldRisks<Position>> {
    return this.#known;
  }

  /** All positions of the holder that may lose something have to be loaded, unless its risks were offered. */
  of(holder: RiskHolder): HeldRisks<Position> {
    const name = holderName(holder);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const isOwn = (position: Position) => position.risk !== undefined && holderName(position) === name;
    const risks = new HeldRisks(this.positions.all().filter(isOwn));
    this.#known.set(name, risks);
    return risks;
  }

  /** Takes in what a holder may lose as it was before any of these positions changed, and changes it with them from now on. */
  offer(name: string, risks: HeldRisks<Position>): void {
    this.#known.set(name, risks);
    this.take(this.positions.changed().filter((position) => holderName(position) === name));
  }

  /** Takes in positions that changed. */
  take(positions: readonly Position[] = []): void {
    if (this.#known.size === 0) return;
    for (const position of positions) withPosition(this.#known.get(holderName(position)), position);
  }
}

/** Takes in a position that changed, which may lose nothing any more. */
export function withPosition(risks: HeldRisks<Position> | undefined, position: Position): void {
  if (position.risk === undefined) risks?.drop(position);
  else risks?.take(position);
}
