import { setImmediate } from 'node:timers/promises';
import type { Timeline } from '../../ports/system.js';
import { Pace } from './pace.js';
import { TaskQueue } from './task-queue.js';

/** How many steps are gone before whoever else waits in this process has a turn. */
const STEPS_AT_ONCE = 64;

/** How fast a tape is played: 1 is as recorded; `max` is as fast as its listeners take it. */
export type Speed = number | 'max';

/** The time of a tape, which goes only as far as everything before it was done. */
export class TapeTimeline implements Timeline {
  readonly #tasks = new TaskQueue();
  #reached: number;
  /** What comes next while it is waited for: time goes on up to there. */
  #next: number | undefined;
  #pace: Pace | undefined;
  #wake: () => void = () => {};
  #stopped = false;
  #steps = 0;

  /** Stands at `from`. Moments up to `unpacedUntil` are not waited for. */
  constructor(
    from: number,
    private speed: number,
    private unpacedUntil: number,
  ) {
    this.#reached = from;
  }

  now(): Date {
    return new Date(this.#now());
  }

  at(moment: Date, task: () => void | Promise<void>): () => void {
    if (Number.isNaN(moment.getTime())) throw new RangeError('a task needs a moment');
    const callOff = this.#tasks.add({ moment: moment.getTime(), run: task });
    this.#wake();
    return callOff;
  }

  /** Moments up to this one are not waited for, whatever the speed. */
  skipTo(moment: number): void {
    this.unpacedUntil = Math.max(this.unpacedUntil, moment);
  }

  /** Runs all tasks before the moment, and waits for it. False when stopped meanwhile. @throws what a task throws */
  async reach(moment: number): Promise<boolean> {
    await this.#runBefore(moment);
    if (!this.#stopped) this.#reached = Math.max(this.#reached, moment);
    return !this.#stopped;
  }

  /** Runs those of the waiting tasks whose moments need no waiting for; from then on time goes as the wall clock does. */
  async runOut(): Promise<void> {
    const { last } = this.#tasks;
    if (this.unpacedUntil === Number.POSITIVE_INFINITY) {
      if (last !== undefined) await this.#runBefore(last + 1);
      this.unpacedUntil = this.#reached;
    }
    this.speed = 1;
    this.#pace = new Pace(Math.max(this.#reached, this.unpacedUntil), this.speed);
    if (!this.#stopped) this.#next = Number.POSITIVE_INFINITY;
  }

  /** Runs every task in its time, until stopped. @throws what a task throws */
  goOn(): Promise<void> {
    return this.#runBefore(Number.POSITIVE_INFINITY);
  }

  /** No task is run after this, and time stands still. */
  stop(): void {
    this.#reached = this.#now();
    this.#next = undefined;
    this.#stopped = true;
    this.#wake();
  }

  async #runBefore(moment: number): Promise<void> {
    while (!this.#stopped) {
      await this.#breathe();
      const next = Math.min(this.#tasks.first ?? moment, moment);
      if (!(await this.#isDue(next))) continue;
      const task = this.#tasks.takeBefore(moment);
      if (task === undefined) return;
      this.#reached = Math.max(this.#reached, task.moment);
      await task.run();
    }
  }

  #now(): number {
    if (this.#next === undefined || this.#pace === undefined) return this.#reached;
    return Math.max(this.#reached, Math.min(this.#pace.now, this.#next));
  }

  /** True at once when it is due; else waits, at most until something new is to be looked at. */
  async #isDue(moment: number): Promise<boolean> {
    if (moment <= this.unpacedUntil) return true;
    this.#pace ??= new Pace(Math.max(this.#reached, this.unpacedUntil), this.speed);
    this.#next = moment;
    const wait = this.#pace.until(moment);
    if (wait > 0) await this.#sleep(Number.isFinite(moment) ? wait : undefined);
    this.#reached = this.#now();
    this.#next = undefined;
    return wait <= 0;
  }

  /** Without a time it lets the process end. */
  #sleep(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #breathe(): Promise<void> {
    this.#steps += 1;
    if (this.#steps % STEPS_AT_ONCE === 0) await setImmediate();
  }
}
