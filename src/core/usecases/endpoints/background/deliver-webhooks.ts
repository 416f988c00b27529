import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock, Digest } from '../../../../ports/system.js';
import type { WebhookAnswer, WebhookSender } from '../../../../ports/webhook-sender.js';
import { changeUnlessRemoved, disableEndpoint } from '../../../endpoint/change-endpoint.js';
import { chanceOf, webhookMessageId } from '../../../endpoint/delivery.js';
import { DeliveryRound, MOST_READ } from '../../../endpoint/delivery-round.js';
import { type EndpointTo, skipping, type WebhookTarget } from '../../../endpoint/endpoint.js';
import type { EventType, LoggedEvent } from '../../../ledger/event-log.js';
import { EventsGone } from '../../../ledger/event-log.js';
import type { ReadEvents } from '../../accounts/read-events.js';
import { storeDeliveries } from '../store-endpoint.js';

/** How many events are sent before what came of them is put on record. */
const AT_ONCE = 16;

/** The access of one round with an endpoint to the shared places. */
export interface Turn {
  /**
   * Sends when it is the turn of the account: a place is held for one answer, and the store for nobody meanwhile. Null where
   * nothing may be sent any more.
   */
  send<T>(work: () => Promise<T>, isUrgent?: boolean): Promise<T | null>;
}

type Webhook = EndpointTo<WebhookTarget>;

/** A round with one webhook, and its access to the shared places. */
interface Delivering {
  readonly webhook: Webhook;
  readonly round: DeliveryRound;
  readonly turn: Turn;
}

/**
 * What came of an event: the round goes on, or ends here, or is the last one since the webhook is sent nothing any more, or the webhook
 * is to be disabled for a reason.
 */
type Went = 'on' | 'over' | 'last' | { readonly because: string };

/** Sends events to webhooks: each at least once, those of an order one after the other. */
export class DeliverWebhooks {
  constructor(
    private readonly ledger: Pick<Ledger, 'write' | 'endpoints'>,
    private readonly events: ReadEvents,
    private readonly sender: WebhookSender,
    private readonly context: { readonly wallClock: Clock; readonly digest: Digest },
  ) {}

  /**
   * Sends what is due, and some of what is new. Never two at once for one webhook. Resolves with when there is more to do, which
   * is null where only something new needs another round, and with how many events wait. @throws StorageUnavailable
   */
  async execute(webhook: EndpointTo<WebhookTarget>, turn: Turn): Promise<[Date | null, number]> {
    const { deliveries } = this.ledger.endpoints;
    const progress = (await deliveries.progress(webhook.account)).find(({ endpointId }) => endpointId === webhook.id);
    const round = new DeliveryRound(webhook, progress, await deliveries.waiting(webhook, MOST_READ));
    const delivering = { webhook, round, turn };
    const retried = await this.#retry(delivering);
    const went = retried === 'on' ? await this.#goOn(delivering) : retried;
    const because = typeof went === 'string' ? null : went.because;
    const now = this.#now();
    if (because !== null) await disableEndpoint(this.ledger, webhook, because, now);
    for (const skipped of round.skipped)
      await changeUnlessRemoved(this.ledger, webhook, (one) => skipping(one, skipped, now));
    await storeDeliveries(this.ledger.endpoints, webhook, round.changes);
    return [because === null && went !== 'last' ? round.nextAt : null, round.waiting];
  }

  async #retry(delivering: Delivering): Promise<Went> {
    const { webhook, round } = delivering;
    for (const { seq, type, orderId } of round.due(this.#now()).slice(0, AT_ONCE)) {
      if (round.isOver(this.#now())) return 'over';
      const event = await this.#eventAt(webhook, seq);
      if (event === null) round.lose({ seq, type, orderId });
      const went = event === null ? 'on' : await this.#send(delivering, event);
      if (went !== 'on') return went;
    }
    return 'on';
  }

  async #goOn(delivering: Delivering): Promise<Went> {
    const { webhook, round } = delivering;
    if (round.isOver(this.#now()) || !round.hasRoom) return 'over';
    const page = await this.#next(webhook, round);
    for (const event of page.items) {
      if (round.isOver(this.#now()) || !round.hasRoom) return 'over';
      const went = await this.#take(delivering, event);
      if (went === 'over' || went === 'last') return went;
      round.pass(event.seq);
      if (went !== 'on') return went;
    }
    round.pass(page.next);
    if (page.next < page.head) round.again(this.#now());
    return 'on';
  }

  /** Sends an event of the log, unless it has to wait. */
  async #take(delivering: Delivering, event: LoggedEvent): Promise<Went> {
    const { round } = delivering;
    const now = this.#now();
    const behind = round.behind(subjectOf(event), now);
    if (behind !== null) round.keep(behind);
    return behind === null && !round.waits(event.seq, now) ? this.#send(delivering, event) : 'on';
  }

  async #send({ webhook, round, turn }: Delivering, event: LoggedEvent): Promise<Went> {
    const id = webhookMessageId(webhook.account, event.seq, this.context.digest);
    let isActive = true;
    const answer = await turn.send(async () => {
      isActive = await this.#isActive(webhook);
      return isActive ? this.sender.send(webhook, { id, event, at: this.#now() }) : null;
    });
    if (!isActive) return 'last';
    const now = this.#now();
    if (answer === null) {
      round.again(now);
      return 'over';
    }
    if (answer.kind === 'taken') {
      round.taken(event.seq, now);
      return 'on';
    }
    const chance = chanceOf(`${webhook.id} ${event.seq} ${now.getTime()}`, this.context.digest);
    round.failed(subjectOf(event), answer, now, chance);
    const because = whyDisabled(answer, round.isDead(now));
    return because === null ? 'on' : { because };
  }

  /** Another process may have disabled, or removed, it since the round began. */
  async #isActive({ account, id }: Webhook): Promise<boolean> {
    return (await this.ledger.endpoints.find(account, id))?.state === 'active';
  }

  async #next(webhook: Webhook, round: DeliveryRound) {
    const types = webhook.types.length === 0 ? null : (webhook.types as readonly EventType[]);
    const read = () => this.events.page(webhook.account, types, { limit: AT_ONCE, after: round.passed });
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof EventsGone)) throw error;
      round.jump(error.first - 1, error.last);
      return read();
    }
  }

  /** Null where the log has it no more. */
  async #eventAt({ account }: Webhook, seq: number): Promise<LoggedEvent | null> {
    try {
      const { items } = await this.events.page(account, null, { limit: 1, after: seq - 1 });
      return items[0] ?? null;
    } catch (error) {
      if (error instanceof EventsGone) return null;
      throw error;
    }
  }

  #now(): Date {
    return this.context.wallClock.now();
  }
}

const subjectOf = ({ seq, type, data }: LoggedEvent) => ({
  seq,
  type,
  orderId: data.kind === 'order' ? data.order.id : null,
});

function whyDisabled({ kind }: WebhookAnswer, isDead: boolean): string | null {
  if (kind === 'gone') return 'Its receiver answered 410: it wants nothing any more.';
  return isDead ? 'Its receiver has taken nothing for five days.' : null;
}
