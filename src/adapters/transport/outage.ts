/** Tells that a host does not answer: once for as long as it does not. */
export class Outage {
  #lasts = false;

  /** `report` is told the host, what it failed to do, and the code of the cause; nothing that the host sent. */
  constructor(
    private readonly host: string,
    private readonly report: (reason: string) => void,
  ) {}

  /** It answers, so that the next failure is another outage. */
  ended(): void {
    this.#lasts = false;
  }

  /** It failed anybody who would have asked, such as by "cannot be reached". */
  met(failure: string, cause?: unknown): void {
    if (this.#lasts) return;
    this.#lasts = true;
    const code = codeOf(cause);
    this.report(`${this.host} ${failure}${code === undefined ? '' : ` (${code})`}`);
  }
}

/** The code that the operating system gave an error, such as `ECONNREFUSED`. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E[A-Z_]+$/.test(code) ? code : undefined;
}
