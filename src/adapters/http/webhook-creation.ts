import * as v from 'valibot';
import { checkKeyShown } from '../../core/session-restraint.js';
import type { WebhookUseCases } from '../../core/usecases/compose-webhooks.js';
import { WebhookMemberInvalid } from '../../core/webhook-errors.js';
import { personTargetOf } from './message-wire.js';
import { type Route, type RouteCall, route } from './route.js';
import { means } from './schema.js';
import { createWebhookBody, presentWebhook, webhookOut } from './webhook-wire.js';

const createdOut = v.object({
  secret: v.optional(
    means(
      v.nullable(v.string()),
      'What its messages are signed with, shown this once: null for a repeated request. Absent where a person is told.',
      'whsec_…',
    ),
  ),
  ...webhookOut.entries,
});

type Creating = RouteCall<unknown, v.InferOutput<typeof createWebhookBody>>;

/** `POST /v1/webhooks`. */
export function webhookCreation(use: WebhookUseCases): Route {
  return route({
    tag: 'webhooks',
    method: 'POST',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    status: 201,
    scopes: ['webhooks:write'],
    summary: 'Have events sent to an address, or told to a person',
    description:
      'The answer shows the secret that its messages are signed with, only this once. Nothing but pings is sent until its receiver has taken one: `POST /v1/webhooks/{id}/ping`. Then it is sent everything since it was made. With the `kind` telegram or ntfy a person is told, in words.',
    body: createWebhookBody,
    answer: createdOut,
    answerName: 'CreatedWebhook',
    answerHeaders: ['location'],
    problems: ['key-needed', 'too-many-webhooks'],
    async handle(call) {
      checkKeyShown(call.principal);
      const { webhook, secret, replayed } = await created(use, call);
      const headers = { location: `/v1/webhooks/${webhook.id}` };
      return { status: 201, body: { secret, ...presentWebhook(webhook) }, headers, replayed };
    },
  });
}

/** The secret is there for webhooks alone. */
async function created({ create, subscribe }: WebhookUseCases, { principal, body, idempotencyKey }: Creating) {
  const { types = [], description = '' } = body;
  const common = { account: principal.account, by: principal.credential, types, description, idempotencyKey };
  if (body.kind !== 'telegram' && body.kind !== 'ntfy') return create.execute({ ...common, url: body.url });
  if (subscribe === null) throw new WebhookMemberInvalid('kind', 'must be webhook: this program sends no messages');
  const { token = null } = body;
  return { ...(await subscribe.execute({ ...common, token, target: personTargetOf(body) })), secret: undefined };
}
