import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock, Digest } from '../../../../ports/system.js';
import type { WebhookAnswer, WebhookSender } from '../../../../ports/webhook-sender.js';
import { DeliveryRound, MOST_READ } from '../../../endpoint/delivery-round.js';
import { type EndpointTo, skipping, type WebhookTarget } from '../../../endpoint/endpoint.js';
import { chanceOf, webhookMessageId } from '../../../endpoint/message-id.js';
import { EventsGone } from '../../../events-gone.js';
import type { EventType } from '../../../ledger/event-log.js';
import type { LoggedEvent } from '../../../ledger/logged-event.js';
import type { ReadEvents } from '../../accounts/read-events.js';
import { changeUnlessRemoved, disableEndpoint } from '../change-endpoint.js';
import { storeDeliveries } from '../store-deliveries.js';

/** How many events are sent before what came of them is put on record. */
const AT_ONCE = 16;

type Webhook = EndpointTo<WebhookTarget>;

/** A round with one webhook, and whether it may go on. */
interface Delivering {
  readonly webhook: Webhook;
  readonly round: DeliveryRound;
  readonly mayGoOn: () => boolean;
}

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
  async execute(webhook: EndpointTo<WebhookTarget>, mayGoOn: () => boolean): Promise<[Date | null, number]> {
    const { deliveries } = this.ledger.endpoints;
    const progress = (await deliveries.progress(webhook.account)).find(({ endpointId }) => endpointId === webhook.id);
    const round = new DeliveryRound(webhook, progress, await deliveries.waiting(webhook, MOST_READ));
    const delivering = { webhook, round, mayGoOn };
    const because = (await this.#retry(delivering)) ?? (await this.#goOn(delivering));
    const now = this.#now();
    if (because !== null) await disableEndpoint(this.ledger, webhook, because, now);
    for (const skipped of round.skipped)
      await changeUnlessRemoved(this.ledger, webhook, (one) => skipping(one, skipped, now));
    await storeDeliveries(this.ledger.endpoints, webhook, round.changes);
    return [because === null ? round.nextAt : null, round.waiting];
  }

  /** Returns why the webhook is to be disabled; null where it is not. */
  async #retry({ webhook, round, mayGoOn }: Delivering): Promise<string | null> {
    for (const { seq, type, orderId } of round.due(this.#now()).slice(0, AT_ONCE)) {
      if (round.isOver(this.#now()) || !mayGoOn()) return null;
      const event = await this.#eventAt(webhook, seq);
      if (event === null) round.lose({ seq, type, orderId });
      const because = event && (await this.#send(webhook, round, event));
      if (because !== null) return because;
    }
    return null;
  }

  async #goOn({ webhook, round, mayGoOn }: Delivering): Promise<string | null> {
    if (round.isOver(this.#now()) || !round.hasRoom) return null;
    const page = await this.#next(webhook, round);
    for (const event of page.items) {
      const now = this.#now();
      if (round.isOver(now) || !round.hasRoom || !mayGoOn()) return null;
      const behind = round.behind(subjectOf(event), now);
      if (behind !== null) round.keep(behind);
      const isSent = behind === null && !round.waits(event.seq, now);
      const because = isSent ? await this.#send(webhook, round, event) : null;
      round.pass(event.seq);
      if (because !== null) return because;
    }
    round.pass(page.next);
    if (page.next < page.head) round.again(this.#now());
    return null;
  }

  async #send(webhook: Webhook, round: DeliveryRound, event: LoggedEvent): Promise<string | null> {
    const id = webhookMessageId(webhook.account, event.seq, this.context.digest);
    const answer = await this.sender.send(webhook, { id, event, at: this.#now() });
    const now = this.#now();
    if (answer.kind === 'taken') {
      round.taken(event.seq, now);
      return null;
    }
    const chance = chanceOf(`${webhook.id} ${event.seq} ${now.getTime()}`, this.context.digest);
    round.failed(subjectOf(event), answer, now, chance);
    return whyDisabled(answer, round.isDead(now));
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
  ...{ seq, type },
  orderId: data.kind === 'order' ? data.order.id : null,
});

function whyDisabled({ kind }: WebhookAnswer, isDead: boolean): string | null {
  if (kind === 'gone') return 'Its receiver answered 410: it wants nothing any more.';
  return isDead ? 'Its receiver has taken nothing for five days.' : null;
}
