import type { Signal } from './signal.js';

/** Receives signals that were put. */
export type OnSignals = (signals: readonly Signal[]) => void;

/** Tells whoever decides by signals that some were put: by this process at once, by others once they are noticed. */
export class SignalNews {
  readonly #listeners = new Set<OnSignals>();

  /** Calls the listener until the function returned is called. */
  on(listener: OnSignals): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(signals: readonly Signal[]): void {
    for (const listener of [...this.#listeners]) listener(signals);
  }
}
