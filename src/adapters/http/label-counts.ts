/** Beyond so many combinations of labels, others are counted as one: what a venue or a user names is not bounded. */
const MOST = 500;

interface Counted {
  readonly values: readonly string[];
  count: number;
}

/** Counts by labels. What is counted is made into a metric when metrics are read, so that counting costs one look-up. */
export class LabelCounts {
  readonly #counts = new Map<string, Counted>();

  /** Adds to the count of these values, one for each label. */
  add(values: readonly string[], by = 1): void {
    const key = values.join('\n');
    const known = this.#counts.get(key);
    if (known !== undefined) known.count += by;
    else if (this.#counts.size < MOST) this.#counts.set(key, { values, count: by });
    else this.#other(values).count += by;
  }

  /** Each combination of values, and its count. */
  *[Symbol.iterator](): Generator<readonly [values: readonly string[], count: number]> {
    for (const { values, count } of this.#counts.values()) yield [values, count];
  }

  #other(values: readonly string[]): Counted {
    const others = values.map(() => 'other');
    const key = others.join('\n');
    const known = this.#counts.get(key) ?? { values: others, count: 0 };
    this.#counts.set(key, known);
    return known;
  }
}
