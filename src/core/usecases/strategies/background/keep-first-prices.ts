import {
  type FirstPrice,
  type FirstPriceKey,
  firstPriceKey,
  firstPriceName,
} from '../../../strategy/watch/first-price.js';
import type { MarketScene } from '../../../strategy/watch/market-scene.js';
import type { Watcher } from '../../../strategy/watch/watcher.js';
import { bestOffer } from '../judgement.js';
import type { Stage } from './bet-places.js';
import type { RunnerParts } from './runner-parts.js';

/**
 * Puts on record at which price a strategy first saw what it would buy, where its rules bound the drift from there: a restart, or
 * another server, goes on from that price. Until it is on record the strategy does not bet there.
 */
export class KeepFirstPrices {
  constructor(private readonly parts: Pick<RunnerParts, 'ledger' | 'context' | 'onFault'>) {}

  /** One call of the store for all of them, and none where all is known. Never throws: what could not be stored is, at the next look. */
  execute(stage: Stage, watchers: readonly Watcher[]): Promise<void> | undefined {
    const unkept = watchers.filter((watcher) => watcher.keepsFirstPrice && stage.watched.has(watcher));
    const scene = unkept.length === 0 ? null : stage.sceneNow();
    return scene?.book?.fresh === true ? this.#keep(scene, unkept) : undefined;
  }

  async #keep({ market, book }: MarketScene, watchers: readonly Watcher[]): Promise<void> {
    const at = this.parts.context.clock.now();
    const seen = watchers.flatMap((watcher): FirstPrice[] => {
      const price = watcher.see(bestOffer({ book }, watcher.buys));
      return price === null ? [] : [{ ...keyOf(watcher, market), price, at }];
    });
    try {
      const kept = await this.parts.ledger.firstPrices.keep(seen);
      const prices = new Map(kept.map((one) => [firstPriceName(one), one.price]));
      for (const watcher of watchers) {
        // Its rules may name the other outcome by now.
        const price = prices.get(firstPriceName(keyOf(watcher, market)));
        if (price !== undefined) watcher.recall(price);
      }
    } catch (error) {
      this.parts.onFault('could not keep the first price of a market', error);
    }
  }
}

const keyOf = ({ strategy, buys }: Watcher, market: MarketScene['market']): FirstPriceKey =>
  firstPriceKey(strategy, market, buys);
