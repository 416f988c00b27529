const HOUR = 3_600_000;

/** Follows the wall clock from here on, `speed` times as fast. */
export class Pace {
  readonly #since = performance.now();

  constructor(
    private readonly from: number,
    private readonly speed: number,
  ) {}

  /** The current moment, in whole milliseconds since 1970. */
  get now(): number {
    return Math.floor(this.from + (performance.now() - this.#since) * this.speed);
  }

  /** The time until that moment, in milliseconds of the wall clock, at most an hour at once. */
  until(moment: number): number {
    return Math.min(Math.ceil((moment - this.now) / this.speed), HOUR);
  }
}
