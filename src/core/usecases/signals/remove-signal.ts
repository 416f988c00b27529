import type { SignalStore } from '../../../ports/signals.js';
import type { MarketId, VenueName } from '../../ids.js';
import type { Signal } from '../../signal/signal.js';
import { SignalNotFound } from '../../signal/signal-errors.js';
import type { SignalOwner } from './complete-signal.js';
import type { ReadSignals } from './read-signals.js';

/** Removes what a model says of a market, as when the model is switched off: nothing is decided with it any more. */
export class RemoveSignal {
  constructor(
    private readonly signals: SignalStore,
    private readonly readSignals: ReadSignals,
  ) {}

  /** Returns what was removed. @throws as ReadSignals */
  async execute(owner: SignalOwner, venue: VenueName | null, marketId: MarketId): Promise<Signal> {
    const removed = await this.signals.remove(await this.readSignals.one(owner, venue, marketId));
    if (removed === undefined) throw new SignalNotFound();
    return removed;
  }
}
