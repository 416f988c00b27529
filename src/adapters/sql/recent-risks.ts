import type { Position } from '../../core/account/position.js';
import { holderName, withPosition } from '../../core/ledger/holder-risks.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import type { HeldRisks } from '../../core/limits/held-risks.js';
import { POSITIONS, WHOLE_ACCOUNT } from './account-table.js';
import { RecentMap } from './recent-map.js';
import type { Belonging, RowKind } from './recent-rows.js';
import { reading, wantingBy } from './tables.js';

/** Positions that may lose something, by their holder. */
export const AT_RISK: Pick<RowKind<Position>, 'want' | 'keyOf' | 'textOf'> = {
  want(dialect) {
    const ofHolder = reading(POSITIONS, dialect, ['account', 'paper', 'strategy_id']);
    // Spelt as in its partial index.
    return wantingBy(POSITIONS, (parameter) => `${ofHolder(parameter)} and positions.risk is not null`);
  },
  keyOf: ({ account, paper, strategyId }) => [account, paper, strategyId ?? WHOLE_ACCOUNT],
  textOf: (position) => JSON.stringify(POSITIONS.encode(position)),
};

interface Kept {
  readonly to: object;
  readonly risks: HeldRisks<Position>;
}

/**
 * What holders may lose, of those used last: with many open positions it would be slow to read and to sum for every order. The
 * group that is being decided changes it already; where that is never stored, nor does what it belongs to hold.
 */
export class RecentRisks {
  readonly #kept: RecentMap<Kept>;

  constructor(
    limit: number,
    private readonly belonging: Belonging,
  ) {
    this.#kept = new RecentMap(limit);
  }

  /** By the name of the holder; undefined where it has to be read. */
  get(name: string): HeldRisks<Position> | undefined {
    const kept = this.#kept.get(name);
    return kept !== undefined && kept.to === this.belonging(name) ? kept.risks : undefined;
  }

  /** The positions by holder, but of those in a set, which may be further on. */
  except(set: WorkingSet | null): ReadonlyMap<string, readonly Position[]> {
    const all = new Map<string, readonly Position[]>();
    for (const name of this.#kept.all.keys()) {
      const risks = set?.risks.all.has(name) === true ? undefined : this.get(name);
      if (risks !== undefined) all.set(name, [...risks]);
    }
    return all;
  }

  /** Takes in what the decisions on a set changed. */
  learn(set: WorkingSet): void {
    for (const [name, risks] of set.risks.all) {
      const to = this.belonging(name);
      if (to !== undefined) this.#kept.put(name, { to, risks });
    }
    for (const position of set.positions.changed()) {
      const name = holderName(position);
      if (!set.risks.all.has(name)) withPosition(this.get(name), position);
    }
  }
}
