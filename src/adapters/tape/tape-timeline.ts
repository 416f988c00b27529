import { setImmediate } from 'node:timers/promises';
import type { Timeline } from '../../ports/system.js';

/** How many steps run before other work of this process gets a turn. */
const STEPS_AT_ONCE = 64;

const ALWAYS = () => true;

/** Work that comes again and again rests after so long without a line or another task: each market has its gap by then. */
const QUIET_MS = 31_000;

/** How fast a tape is played: 1 is as recorded; `max` is as fast as its listeners take it. */
export type Speed = number | 'max';

/** The time of a tape, which advances only once everything before it is done. */
export class TapeTimeline implements Timeline {
  readonly #tasks = new TaskQueue();
  #reached: number;
  /** The next moment while it is waited for: time goes on up to there. */
  #next: number | undefined;
  #pace: Pace | undefined;
  /** Time stops there, once it is reached. */
  #standsAt = Number.POSITIVE_INFINITY;
  #wake: () => void = () => {};
  #stopped = false;
  #steps = 0;
  /** When the last line, or the last task that does not come again and again, was due. */
  #happened: number;
  readonly #began: number;
  /** Whether time passes over stretches in which nothing happens. */
  #passesOver: boolean;

  /** Stays at `from`. Moments up to `unpacedUntil` are not waited for. */
  constructor(
    from: number,
    private speed: number,
    private unpacedUntil: number,
  ) {
    this.#reached = from;
    this.#happened = from;
    this.#began = from;
    this.#passesOver = unpacedUntil === Number.POSITIVE_INFINITY;
  }

  now(): Date {
    return new Date(this.#now());
  }

  at(moment: Date, task: () => void | Promise<void>): () => void {
    if (Number.isNaN(moment.getTime())) throw new RangeError('a task needs a moment');
    return this.#add({ moment: moment.getTime(), run: task, everyMs: null });
  }

  /** Runs the task at moments that are whole numbers of `everyMs` after the beginning, and where it is needed then. */
  every(everyMs: number, task: () => Promise<void> | undefined, isNeeded: () => boolean = ALWAYS): () => void {
    let callOff = () => {};
    let ended = false;
    const plan = (leastMs: number) => {
      const past = this.#now() - this.#began + leastMs + everyMs - 1;
      if (!ended) callOff = this.#add({ moment: this.#began + past - (past % everyMs), run, everyMs });
    };
    const planNext = () => plan(1);
    const run = () => {
      const running = isNeeded() ? task() : undefined;
      return running === undefined ? planNext() : running.then(planNext);
    };
    plan(0);
    return () => {
      ended = true;
      callOff();
    };
  }

  /** Moments up to this one are not waited for, at any speed. */
  skipTo(moment: number): void {
    this.unpacedUntil = Math.max(this.unpacedUntil, moment);
  }

  /** Time goes up to this moment and stops there until `goOn`; tasks of before it and of it are run. */
  standAt(moment: number): void {
    this.#standsAt = moment;
    this.#passesOver = false;
  }

  /** Stopped time goes on. */
  goOn(): void {
    this.#standsAt = Number.POSITIVE_INFINITY;
    this.#wake();
  }

  /** Runs all tasks before the moment, and waits for it; undefined where there is nothing to wait for. @throws what a task throws */
  reach(moment: number): Promise<void> | undefined {
    const running = this.#isOthersTurn() ? this.#runInTime(moment, setImmediate()) : this.#runBefore(moment);
    if (running !== undefined) return running.then(() => this.#reach(moment));
    this.#reach(moment);
    return undefined;
  }

  /** Runs what is due at the moment that is reached, and waits for it; time does not go on. @throws what a task throws */
  async runDue(): Promise<void> {
    const end = this.#reached + 1;
    while (!this.#stopped && (this.#tasks.first ?? end) < end) await this.#runFirst(end);
  }

  /** From now on time follows the wall clock. Where nothing was waited for so far, and `isWhole`, the waiting tasks are run before. */
  async runOut(isWhole: boolean): Promise<void> {
    const { last } = this.#tasks;
    if (this.unpacedUntil === Number.POSITIVE_INFINITY) {
      if (last !== undefined && isWhole) await this.#runBefore(last + 1);
      this.unpacedUntil = this.#reached;
    }
    this.speed = 1;
    this.#pace = new Pace(Math.max(this.#reached, this.unpacedUntil), this.speed);
    if (!this.#stopped) this.#next = Number.POSITIVE_INFINITY;
  }

  /** Runs every task in its time, until stopped. @throws what a task throws */
  async runOn(): Promise<void> {
    await this.#runBefore(Number.POSITIVE_INFINITY);
  }

  /** No task is run after this, and time stops. */
  stop(): void {
    this.#reached = this.#now();
    this.#next = undefined;
    this.#stopped = true;
    this.#wake();
  }

  #add(task: Task): () => void {
    const callOff = this.#tasks.add(task);
    this.#wake();
    return callOff;
  }

  #reach(moment: number): void {
    if (this.#stopped) return;
    this.#reached = Math.max(this.#reached, moment);
    this.#happened = this.#reached;
  }

  /** Undefined where all of them are done at once. */
  #runBefore(moment: number): Promise<void> | undefined {
    while (!this.#stopped) {
      this.#rest(moment);
      const { first = moment } = this.#tasks;
      if (!this.#isUnpaced(Math.min(first, moment))) return this.#runInTime(moment);
      if (first >= moment) return undefined;
      const running = this.#runFirst(moment);
      if (running !== undefined) return this.#runInTime(moment, running);
    }
    return undefined;
  }

  async #runInTime(moment: number, running?: Promise<void>): Promise<void> {
    await running;
    while (!this.#stopped) {
      if (this.#isOthersTurn()) await setImmediate();
      this.#rest(moment);
      const { first = moment } = this.#tasks;
      if (!(await this.#isDue(Math.min(first, moment)))) continue;
      if ((this.#tasks.first ?? moment) >= moment) return;
      await this.#runFirst(moment);
    }
  }

  #runFirst(moment: number): Promise<void> | undefined {
    const task = this.#tasks.takeBefore(moment);
    if (task === undefined) return undefined;
    this.#reached = Math.max(this.#reached, task.moment);
    if (task.everyMs === null) this.#happened = this.#reached;
    const running = task.run();
    return running instanceof Promise ? running : undefined;
  }

  /** Whether nothing has to be waited for, and time does not stand still, up to this moment. */
  #isUnpaced(moment: number): boolean {
    return moment <= this.#standsAt && moment <= this.unpacedUntil;
  }

  /**
   * Where nothing has happened for long, what comes again and again waits for the last of its moments before something does. Not where
   * time is the machine's, or clients of a server act in it.
   */
  #rest(moment: number): void {
    const { first } = this.#tasks;
    if (!this.#passesOver || !Number.isFinite(moment)) return;
    if (first === undefined || first <= this.#happened + QUIET_MS) return;
    this.#tasks.restUntil(moment, this.#began);
  }

  #now(): number {
    if (this.#next === undefined || this.#pace === undefined) return this.#reached;
    return Math.max(this.#reached, Math.min(this.#pace.now, this.#next));
  }

  /** True at once when it is due; else waits, at most until there is something new to consider. */
  async #isDue(moment: number): Promise<boolean> {
    if (moment > this.#standsAt) {
      await this.#sleep(undefined);
      return false;
    }
    if (moment <= this.unpacedUntil) return true;
    this.#pace ??= new Pace(Math.max(this.#reached, this.unpacedUntil), this.speed);
    this.#next = moment;
    const wait = this.#pace.until(moment);
    if (wait > 0) await this.#sleep(Number.isFinite(moment) ? wait : undefined);
    this.#reached = this.#now();
    this.#next = undefined;
    return wait <= 0;
  }

  /** Without a duration it does not keep the process alive. */
  #sleep(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Counts a step. */
  #isOthersTurn(): boolean {
    this.#steps += 1;
    return this.#steps % STEPS_AT_ONCE === 0;
  }
}

const HOUR = 3_600_000;

/** Follows the wall clock from here on, `speed` times as fast. */
class Pace {
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

/** A task to run at a moment. */
export interface Task {
  /** Milliseconds since 1970. */
  moment: number;
  readonly run: () => void | Promise<void>;
  /** Of a task that comes again and again; null for another one. */
  readonly everyMs: number | null;
}

/** Tasks in the order of their moments; those of one moment in the order in which they came. */
class TaskQueue {
  readonly #tasks: Task[] = [];

  /** The returned function removes the task, unless it was taken. */
  add(task: Task): () => void {
    let low = 0;
    let high = this.#tasks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#tasks[middle] ?? task).moment <= task.moment) low = middle + 1;
      else high = middle;
    }
    this.#tasks.splice(low, 0, task);
    return () => this.#remove(task);
  }

  /** The moment of the first task. */
  get first(): number | undefined {
    return this.#tasks[0]?.moment;
  }

  /** The moment of the last task. */
  get last(): number | undefined {
    return this.#tasks.at(-1)?.moment;
  }

  /** Removes and returns the first task when its moment is before this one. */
  takeBefore(moment: number): Task | undefined {
    const [first] = this.#tasks;
    return first !== undefined && first.moment < moment ? this.#tasks.shift() : undefined;
  }

  /** Moves each task that comes again and again to the last of its moments before this one, and before any other task. */
  restUntil(moment: number, began: number): void {
    const others = this.#tasks.filter(({ everyMs }) => everyMs === null);
    const until = Math.min(moment, others[0]?.moment ?? moment);
    for (const task of this.#tasks.splice(0)) {
      const { everyMs } = task;
      const last = everyMs === null ? task.moment : until - 1 - ((until - 1 - began) % everyMs);
      task.moment = Math.max(task.moment, last);
      this.add(task);
    }
  }

  #remove(task: Task): void {
    const index = this.#tasks.indexOf(task);
    if (index >= 0) this.#tasks.splice(index, 1);
  }
}
