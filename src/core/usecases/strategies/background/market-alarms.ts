import type { Timeline } from '../../../../ports/system.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';

interface Alarm {
  readonly at: number;
  readonly callOff: () => void;
}

/** Has a market looked at when time alone may let a strategy bet, though nothing happens in the market then. */
export class MarketAlarms {
  readonly #alarms = new Map<WatchedMarket, Alarm>();

  constructor(
    private readonly timeline: Timeline | null,
    private readonly look: (watched: WatchedMarket) => Promise<void>,
  ) {}

  /** Sets the alarm of a market, or moves it, to when that is next. */
  set(watched: WatchedMarket): void {
    if (this.timeline === null) return;
    const at = watched.readyAt(this.timeline.now());
    const known = this.#alarms.get(watched);
    if (known?.at === at) return;
    this.clear(watched);
    if (at === Number.POSITIVE_INFINITY) return;
    const ring = async () => {
      this.#alarms.delete(watched);
      await this.look(watched);
      this.set(watched);
    };
    this.#alarms.set(watched, { at, callOff: this.timeline.at(new Date(at), ring) });
  }

  /** Forgets the market. */
  clear(watched: WatchedMarket): void {
    this.#alarms.get(watched)?.callOff();
    this.#alarms.delete(watched);
  }
}
