const GOOD_FOR_MS = 1000;

/**
 * Writes one row for good, the same each time; only a write tells whether there is room for one. It is as large as what two
 * orders take, for a log that has grown keeps room for a small row on a disk that is full.
 */
export const SQLITE_WRITING = writing('? || hex(randomblob(65536))');
/** The same for Postgres, which keeps what a row was: it is small. */
export const POSTGRES_WRITING = writing('?');

/** What these statements take. */
export const writingNow = (): string[] => [new Date().toISOString()];

function writing(value: string): string {
  const row = `insert into bookmarks (name, at) values ('readiness', ${value})`;
  return `${row} on conflict (name) do update set at = excluded.at`;
}

/** Knows whether a database takes writes, and has it write for that at most once a second, however many ask. */
export class WriteProof {
  #provenAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;

  constructor(private readonly write: () => Promise<unknown>) {}

  /** Something was committed just now. */
  renew(): void {
    this.#provenAt = performance.now();
  }

  /** Something could not be committed just now. */
  doubt(): void {
    this.#provenAt = Number.NEGATIVE_INFINITY;
  }

  /** @throws what the database says when it takes no write */
  async ask(): Promise<void> {
    if (performance.now() - this.#provenAt < GOOD_FOR_MS) return;
    this.#asking ??= this.#prove().finally(() => {
      this.#asking = null;
    });
    await this.#asking;
  }

  async #prove(): Promise<void> {
    await this.write();
    this.renew();
  }
}
