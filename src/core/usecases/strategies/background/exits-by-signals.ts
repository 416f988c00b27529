import type { Apart, Timeline } from '../../../../ports/system.js';
import type { Signal, SignalKey, SignalName, SignalNews } from '../../../signal/signal.js';
import type { ExitEntries, ExitEntry } from './exit-entries.js';

/** How what is held is looked at where a signal was put. */
export interface SignalParts {
  /** Tells of signals that were put. */
  readonly signalNews?: SignalNews | undefined;
  readonly timeline: Timeline;
  /** Runs what the feeds of markets do not wait for; absent, they wait. */
  readonly apart?: Apart | undefined;
}

/** Has positions that are sold by `edge_below` looked at where a signal was put that they are judged by. */
export class ExitsBySignals {
  /** Has nothing looked at from now on. */
  readonly end: () => void;

  constructor(
    private readonly entries: ExitEntries,
    private readonly parts: SignalParts,
    private readonly look: (entry: ExitEntry) => Promise<void>,
  ) {
    this.end = parts.signalNews?.on((signals) => this.#plan(signals)) ?? (() => {});
  }

  /** The signals by which positions are judged. */
  keys(): readonly SignalKey[] {
    return this.entries
      .markets()
      .flatMap((ref) => this.entries.in(ref))
      .flatMap((entry) => keyOf(entry) ?? []);
  }

  #plan(signals: readonly Signal[]): void {
    const { timeline, apart = (work) => work() } = this.parts;
    // A tape is not looked at beside what happens in it.
    timeline.at(timeline.now(), () => apart(() => this.#lookBy(signals)));
  }

  async #lookBy(signals: readonly Signal[]): Promise<void> {
    for (const signal of signals)
      for (const entry of this.entries.in(signal)) {
        const key = keyOf(entry);
        if (key?.account === signal.account && key.name === signal.name) await this.look(entry);
      }
  }
}

/** Null where no signal decides. */
function keyOf({ held: { strategy, venue, marketId } }: ExitEntry): SignalKey | null {
  const { signal, exit } = strategy.rules;
  if (signal === undefined || exit?.edgeBelow === undefined) return null;
  return { account: strategy.account, name: signal.name as SignalName, venue, marketId };
}
