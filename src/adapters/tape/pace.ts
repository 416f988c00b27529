const HOUR = 3_600_000;

/** Goes from here on with the wall clock, `speed` times as fast. */
export class Pace {
  readonly #since = performance.now();

  constructor(
    private readonly from: number,
    private readonly speed: number,
  ) {}

  /** The moment that it is by now, in whole milliseconds since 1970. */
  get now(): number {
    return Math.floor(this.from + (performance.now() - this.#since) * this.speed);
  }

  /** How long it takes to that moment, in milliseconds of the wall clock, but never more than an hour at once. */
  until(moment: number): number {
    return Math.min(Math.ceil((moment - this.now) / this.speed), HOUR);
  }
}
