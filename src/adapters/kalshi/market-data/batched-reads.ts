/** What reads many records of the venue at once. */
export interface BatchSource<Value> {
  /** The records of these names that the venue gave, by name: it may leave some out, and give others. Absent where each is read alone. */
  readMany?(names: readonly string[]): Promise<ReadonlyMap<string, Value>>;
  /** One that it did not give; undefined where there is none. */
  readOne(name: string): Promise<Value | undefined>;
}

/** So many are asked for at once: an address stays below 3,000 characters. */
const MOST_AT_ONCE = 50;

/** The pending read of a record. */
interface BatchedRead<Value> {
  readonly name: string;
  readonly found: Promise<Value | undefined>;
  readonly settle: (found: Value | undefined | Promise<Value | undefined>) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Reads records by name: those that are asked for meanwhile share the next request, of which one is under way at a time. A record that the
 * answer lacks is read by itself: that the venue left it out proves nothing.
 */
export class BatchedReads<Value> {
  readonly #waiting = new Map<string, BatchedRead<Value>>();
  #isReading = false;

  constructor(private readonly source: BatchSource<Value>) {}

  /** Undefined where there is none. Throws as the source does. */
  find(name: string): Promise<Value | undefined> {
    const read = this.#waiting.get(name) ?? readOf<Value>(name);
    this.#waiting.set(name, read);
    if (!this.#isReading) {
      this.#isReading = true;
      // What is asked for in the same turn is in the first request.
      setImmediate(() => void this.#readAll());
    }
    return read.found;
  }

  async #readAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const reads = [...this.#waiting.values()].slice(0, MOST_AT_ONCE);
      for (const { name } of reads) this.#waiting.delete(name);
      await this.#read(reads);
    }
    this.#isReading = false;
  }

  async #read(reads: readonly BatchedRead<Value>[]): Promise<void> {
    try {
      const names = reads.map(({ name }) => name);
      const found = names.length > 1 ? await this.source.readMany?.(names) : undefined;
      for (const { name, settle } of reads) settle(found?.get(name) ?? this.source.readOne(name));
    } catch (error) {
      for (const { fail } of reads) fail(error);
    }
  }
}

function readOf<Value>(name: string): BatchedRead<Value> {
  let [settle, fail]: [BatchedRead<Value>['settle'], BatchedRead<Value>['fail']] = [() => {}, () => {}];
  const found = new Promise<Value | undefined>((resolve, reject) => {
    [settle, fail] = [resolve, reject];
  });
  return { name, found, settle, fail };
}
