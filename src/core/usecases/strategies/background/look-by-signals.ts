import type { SignalStore } from '../../../../ports/signals.js';
import type { InBackground, Timeline } from '../../../../ports/system.js';
import { type Signal, type SignalKey, type SignalNews, signalKeyText } from '../../../signal/signal.js';

/** What reports signals, and when they are evaluated. */
export interface SignalParts {
  /** Reports signals that were put. */
  readonly signalNews?: SignalNews | undefined;
  readonly timeline?: Timeline;
  /** Runs what the feeds of markets do not wait for; absent, they wait. */
  readonly inBackground?: InBackground | undefined;
}

/** Looks at what a signal decides, with the next turn of the process after it was put. */
export class LookBySignals {
  /** Stops all evaluation by signals. */
  readonly end: () => void;

  constructor(
    private readonly parts: SignalParts,
    private readonly look: (signal: Signal) => Promise<void>,
  ) {
    this.end = parts.signalNews?.on((signals) => this.#plan(signals)) ?? (() => {});
  }

  #plan(signals: readonly Signal[]): void {
    const { timeline, inBackground = (work) => work() } = this.parts;
    const work = () => inBackground(() => this.#lookBy(signals));
    // With a tape, the work is one of its tasks, and never runs beside what happens in it.
    if (timeline === undefined) void work();
    else timeline.at(timeline.now(), work);
  }

  async #lookBy(signals: readonly Signal[]): Promise<void> {
    for (const signal of signals) await this.look(signal);
  }
}

/** Signals that are asked for at once. */
const AT_ONCE = 1000;

/** Notices signals that another server put, and reports them. Those that this process puts are reported by the code that puts them. */
export class NoticeSignals {
  /** When the newest reported signal was put, by key. */
  readonly #known = new Map<string, number>();
  /** Ends it. */
  readonly end: () => void;
  #from = 0;

  constructor(
    private readonly signals: Pick<SignalStore, 'find'>,
    private readonly news: SignalNews,
  ) {
    this.end = news.on((put) => this.#remember(put));
  }

  /** Asks for up to 1000 of these, each once, and the next time for those after them. @throws StorageUnavailable */
  async execute(asked: readonly SignalKey[]): Promise<void> {
    const keys = [...new Map(asked.map((key) => [signalKeyText(key), key])).values()];
    if (this.#from >= keys.length) this.#from = 0;
    const part = keys.slice(this.#from, this.#from + AT_ONCE);
    this.#from += AT_ONCE;
    const found = await Promise.all(part.map((key) => this.signals.find(key)));
    const newer = found.filter((signal) => signal !== undefined).filter((signal) => this.#isNews(signal));
    if (newer.length > 0) this.news.publish(newer);
  }

  #isNews(signal: Signal): boolean {
    return signal.updatedAt.getTime() > (this.#known.get(signalKeyText(signal)) ?? Number.NEGATIVE_INFINITY);
  }

  #remember(signals: readonly Signal[]): void {
    for (const signal of signals) this.#known.set(signalKeyText(signal), signal.updatedAt.getTime());
  }
}
