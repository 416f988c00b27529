import type { OrderId } from '../../../src/core/ids.js';
import type { MarketEvent } from '../../../src/core/market/event.js';
import type { Market } from '../../../src/core/market/market.js';
import type { ReportBatch } from '../../../src/core/matching/matcher.js';
import { Matcher } from '../../../src/core/matching/matcher.js';
import type { Order } from '../../../src/core/order/order.js';
import { shares, usdc } from '../../support/builders.js';
import type { Step, Story } from './stories.js';
import { aFee, anOpenMarket, anOrder, at } from './view.js';

/** Receives what happens at the venue, one moment after another. */
export interface Witness {
  /** Just before the matcher receives it. */
  event?(event: MarketEvent): void;
  wiped?(at: Date): void;
  /** What the matcher reported since, all of it of one moment and against one book. */
  reported(batches: readonly ReportBatch[], event: MarketEvent | null): void | Promise<void>;
  /** Puts the order on record; null when it is denied there. */
  placed?(order: Order, ask: Step & { type: 'order' }): Promise<Order | null>;
}

export function marketOf({ delaySeconds, startsAt, rate, takerOnly }: Story): Market {
  const least = { minShares: shares('0.01'), minNotional: usdc('0'), delaySeconds };
  const terms = { ...least, fee: aFee(rate, { takerOnly }), clearsBookAtStart: true };
  return anOpenMarket(terms, { startsAt: at(startsAt) });
}

/** Plays a story moment by moment, so that the witness always knows the book that was matched against. */
export async function play(story: Story, witness: Witness): Promise<void> {
  const market = marketOf(story);
  const matcher = new Matcher(market, story.latencyMs, at(0));
  const orders: Order[] = [];
  let now = 0;
  for (const step of [...story.steps, { type: 'cancel', after: 5_000, order: 0 } as const]) {
    now += step.after;
    await pass(matcher, market, at(now), false, witness);
    if (step.type === 'event') {
      const event = { ...step.change, at: at(now) };
      witness.event?.(event);
      matcher.apply(event);
      await witness.reported(matcher.drain(), event);
    } else if (step.type === 'order') {
      const order = anOrder({ ...step.ask, id: `o${orders.length}` }, market, at(now));
      const placed = witness.placed === undefined ? order : await witness.placed(order, step);
      if (placed !== null) matcher.enter(placed);
      orders.push(placed ?? order);
    } else {
      matcher.cancel(orders[step.order]?.id ?? ('no-order' as OrderId), at(now));
    }
    await pass(matcher, market, at(now), true, witness);
  }
}

async function pass(matcher: Matcher, market: Market, to: Date, included: boolean, witness: Witness): Promise<void> {
  for (;;) {
    const { next } = matcher;
    const starts = next?.getTime() === market.startsAt?.getTime();
    if (next === null || next > to || (next >= to && !included && !starts)) return;
    if (starts) witness.wiped?.(next);
    matcher.advance(next);
    await witness.reported(matcher.drain(), null);
  }
}
