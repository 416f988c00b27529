import type { SignalStore } from '../../../../ports/signals.js';
import type { SignalNews } from '../../../signal/signal.js';
import { type Signal, type SignalKey, signalKeyText } from '../../../signal/signal.js';

/** Signals that are asked for at once. */
const AT_ONCE = 1000;

/** Notices signals that another server put, and tells of them. Those that this process puts are told by whoever puts them. */
export class NoticeSignals {
  /** When what was told last was put, by key. */
  readonly #told = new Map<string, number>();
  /** Ends it. */
  readonly end: () => void;
  #from = 0;

  constructor(
    private readonly signals: Pick<SignalStore, 'find'>,
    private readonly news: SignalNews,
  ) {
    this.end = news.on((told) => this.#remember(told));
  }

  /** Asks for up to 1000 of these, the next time for those after them. @throws StorageUnavailable */
  async execute(keys: readonly SignalKey[]): Promise<void> {
    if (this.#from >= keys.length) this.#from = 0;
    const asked = keys.slice(this.#from, this.#from + AT_ONCE);
    this.#from += AT_ONCE;
    const found = await Promise.all(asked.map((key) => this.signals.find(key)));
    const newer = found.filter((signal) => signal !== undefined).filter((signal) => this.#isNews(signal));
    if (newer.length > 0) this.news.tell(newer);
  }

  #isNews(signal: Signal): boolean {
    return signal.updatedAt.getTime() > (this.#told.get(signalKeyText(signal)) ?? Number.NEGATIVE_INFINITY);
  }

  #remember(signals: readonly Signal[]): void {
    for (const signal of signals) this.#told.set(signalKeyText(signal), signal.updatedAt.getTime());
  }
}
