import { type Call, type Fault, passes } from './faults.js';

/** A request that waits until the test decides its outcome. */
export class Hold {
  /** Resolves when a request is held here. */
  readonly arrived: Promise<void>;
  readonly #arrive: () => void;
  readonly #released: Promise<Fault>;
  readonly #release: (fault: Fault) => void;

  /** Stands before the venue acts (a late insertion when the caller gives up first), or between its act and its answer. */
  constructor(readonly where: 'before' | 'answer') {
    let [arrive, release]: [() => void, (fault: Fault) => void] = [() => {}, () => {}];
    this.arrived = new Promise((resolve) => {
      arrive = resolve;
    });
    this.#released = new Promise((resolve) => {
      release = resolve;
    });
    this.#arrive = arrive;
    this.#release = release;
  }

  /** Lets it go on, to the ordinary end or to a fault. */
  release(to: Fault = passes()): void {
    this.#release(to);
  }

  readonly fault: Fault = async (call) => {
    if (this.where === 'before') {
      await call.body();
      this.#arrive();
      await (await this.#released)(call);
      return;
    }
    const answer = await call.process();
    this.#arrive();
    const settled: Call = { ...call, process: () => Promise.resolve(answer) };
    await (await this.#released)(settled);
  };
}
