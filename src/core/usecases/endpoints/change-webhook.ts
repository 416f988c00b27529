import type { Ledger } from '../../../ports/ledger.js';
import type { Clock } from '../../../ports/system.js';
import type { SecretBox, WebhookSender } from '../../../ports/webhook-sender.js';
import { changeEndpoint, type EndpointPatch, patchedEndpoint } from '../../endpoint/change-endpoint.js';
import {
  disabled,
  type Endpoint,
  type EndpointKey,
  enabled,
  isWebhook,
  removed,
  rotated,
} from '../../endpoint/endpoint.js';
import { WebhookNotFound, WebhookNotVerified, WebhookWithoutSecret } from '../../endpoint/webhook-errors.js';
import { earlierResult } from '../../ledger/decision.js';
import type { EventType } from '../../ledger/event-log.js';
import { keyed, requestRecords } from '../../ledger/request.js';
import type { CreatedWebhook } from './create-webhook.js';
import { isReadable } from './read-webhooks.js';
import { sendAgain } from './send-again.js';
import { refuseTarget, refuseToken } from './store-endpoint.js';

/** What may be changed; an absent member stays. */
export interface WebhookPatch extends EndpointPatch {
  readonly types?: readonly EventType[] | undefined;
}

const BY_HAND = 'Somebody disabled it.';
const BOTH_SECRETS_MS = 24 * 60 * 60 * 1000;

/** Changes webhooks, each change in one write with its event. */
export class ChangeWebhook {
  constructor(
    private readonly ledger: Ledger,
    private readonly parts: { readonly box: SecretBox; readonly sender: WebhookSender },
    private readonly wallClock: Clock,
  ) {}

  /**
   * Another address has to take a ping before it is sent anything; another token is used from then on.
   * `by` names the credential. @throws WebhookNotFound, WebhookUrlInvalid, WebhookMemberInvalid
   */
  async patch(webhook: EndpointKey, patch: WebhookPatch, by: string): Promise<Endpoint> {
    const { box, sender } = this.parts;
    const { token } = patch;
    const sealed = typeof token === 'string' ? box.seal(token) : token === null ? '' : undefined;
    const at = this.wallClock.now();
    return changeEndpoint(this.ledger, webhook, (before) => {
      const after = patchedEndpoint(before, patch, sealed, { by, at });
      if (patch.url !== undefined || patch.commandsFrom) refuseTarget(after.target, sender);
      if (token !== undefined) refuseToken(after.target.kind, token);
      return after;
    });
  }

  /**
   * Makes a new secret; for a day, messages are signed with the one before too, where it can be read. A repeated request makes
   * none, and does not get that of the first.
   * @throws WebhookNotFound, WebhookWithoutSecret, IdempotencyKeyReused
   */
  async rotate({ account, id }: EndpointKey, idempotencyKey: string | null): Promise<CreatedWebhook> {
    const { box } = this.parts;
    const request = keyed(account, 'webhooks.rotate', idempotencyKey, { id });
    const secret = box.fresh();
    const sealed = box.seal(secret);
    const scope = { account, endpoints: true, ...(request && { request: request.key }) } as const;
    const made = await this.ledger.write(scope, (now) => {
      const at = this.wallClock.now();
      const before = now.endpoint(id);
      if (before === undefined) throw new WebhookNotFound();
      if (!isWebhook(before)) throw new WebhookWithoutSecret();
      if (earlierResult(now, request, at) !== undefined) return { result: { webhook: before, replayed: true } };
      const until = isReadable(box, before) ? new Date(at.getTime() + BOTH_SECRETS_MS) : null;
      const webhook = rotated(before, sealed, until, at);
      const requests = requestRecords(request, id, false, at);
      return { result: { webhook, replayed: false }, endpoints: [webhook], requests };
    });
    return { ...made, secret: made.replayed ? null : secret };
  }

  /**
   * Goes on where a disabled one stopped; what it did not take is tried at once. One whose key was revoked is unverified.
   * @throws WebhookNotFound, WebhookNotVerified
   */
  async enable(webhook: EndpointKey): Promise<Endpoint> {
    const at = this.wallClock.now();
    const before = await this.ledger.endpoints.find(webhook.account, webhook.id);
    if (before?.state === 'disabled') await sendAgain(this.ledger.endpoints, before, null, at);
    return changeEndpoint(this.ledger, webhook, (one) => {
      if (one.state === 'unverified') throw new WebhookNotVerified();
      return one.state === 'disabled' ? enabled(one, at) : one;
    });
  }

  /** Sends nothing to an active webhook until it is enabled; raises no alarm, because a caller wanted it. @throws WebhookNotFound */
  disable(webhook: EndpointKey): Promise<Endpoint> {
    const at = this.wallClock.now();
    const disable = (one: Endpoint) => (one.state === 'active' ? disabled(one, BY_HAND, at) : one);
    return changeEndpoint(this.ledger, webhook, disable, false);
  }

  /** Removes a webhook and its secret. @throws WebhookNotFound */
  async remove(webhook: EndpointKey): Promise<Endpoint> {
    const at = this.wallClock.now();
    const gone = await changeEndpoint(this.ledger, webhook, (before) => removed(before, at));
    await this.ledger.endpoints.deliveries.forget(webhook);
    return gone;
  }
}
