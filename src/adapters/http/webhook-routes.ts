import * as v from 'valibot';
import { checkKeyShown } from '../../core/access/session-restraint.js';
import type { EndpointKey } from '../../core/endpoint/endpoint.js';
import { WebhookMemberInvalid } from '../../core/endpoint/webhook-errors.js';
import type { EndpointId } from '../../core/ids.js';
import type { WebhookUseCases } from '../../core/usecases/compose-webhooks.js';
import type { WebhookAnswer } from '../../ports/webhook-sender.js';
import { personTargetOf } from './message-wire.js';
import { listOut, listQuery, pageFrom, presentPage } from './paging.js';
import { type Route, type RouteCall, route } from './route.js';
import { means } from './schema.js';
import {
  changeWebhookBody,
  createWebhookBody,
  deliveryOut,
  pingOut,
  presentDelivery,
  presentStatus,
  presentWebhook,
  replayBody,
  secretOut,
  webhookOut,
  webhookPatchOf,
  webhookStatusOut,
} from './webhook-wire.js';

const LIST = '/v1/webhooks';
const ONE = `${LIST}/{id}`;
const common = { tag: 'webhooks', status: 200 } as const;
const one = { ...common, path: ONE, uuid: true } as const;
const reading = { scopes: ['orders:read'] } as const;
const writing = { scopes: ['webhooks:write'] } as const;
const answer = { answer: webhookOut, answerName: 'Webhook' } as const;

/** Everything under `/v1/webhooks`. */
export function webhookRoutes(use: WebhookUseCases): Route[] {
  return [
    webhookCreation(use),
    listing(use),
    finding(use),
    change(use),
    removal(use),
    ...pingAndSecret(use),
    ...acting(use),
    deliveries(use),
  ];
}

function listing({ read }: WebhookUseCases): Route {
  return route({
    ...common,
    ...reading,
    method: 'GET',
    path: LIST,
    operationId: 'listWebhooks',
    summary: 'List the webhooks of the account, oldest first',
    description: 'With the state of each, and what its receiver answered last; never with a secret.',
    answer: v.object({ data: v.array(webhookStatusOut) }),
    answerName: 'WebhookList',
    problems: [],
    async handle({ principal }) {
      const all = await read.many(principal.account);
      return { status: 200, body: { data: all.map(({ webhook, progress }) => presentStatus(webhook, progress)) } };
    },
  });
}

function finding({ read }: WebhookUseCases): Route {
  return route({
    ...one,
    ...reading,
    method: 'GET',
    operationId: 'getWebhook',
    summary: 'Read a webhook, and how far it has come',
    description: 'With its place in the event log, what its receiver answered last, and which events were skipped.',
    answer: webhookStatusOut,
    answerName: 'WebhookStatus',
    problems: ['not-found'],
    async handle(call) {
      const { webhook, progress } = await read.one(keyOf(call));
      return { status: 200, body: presentStatus(webhook, progress) };
    },
  });
}

function change({ change }: WebhookUseCases): Route {
  return route({
    ...one,
    ...writing,
    ...answer,
    method: 'PATCH',
    operationId: 'changeWebhook',
    summary: 'Change a webhook',
    description:
      'Members that are absent stay. Another address is `unverified` until its receiver takes a ping. Another token of a messenger is used from then on.',
    body: changeWebhookBody,
    problems: ['key-needed', 'not-found'],
    handle: async (call) => ({
      status: 200,
      body: presentWebhook(
        await change.patch(changing(call), webhookPatchOf(call.body, call.principal), call.principal.credential),
      ),
    }),
  });
}

function removal({ change }: WebhookUseCases): Route {
  return route({
    ...one,
    ...writing,
    ...answer,
    method: 'DELETE',
    operationId: 'deleteWebhook',
    summary: 'Remove a webhook',
    description: 'It is sent nothing any more, and its secret is forgotten. The answer is what it was.',
    problems: ['key-needed', 'not-found'],
    handle: async (call) => ({ status: 200, body: presentWebhook(await change.remove(changing(call))) }),
  });
}

const acts = { ...common, ...writing, uuid: true, method: 'POST' } as const;

function pingAndSecret({ change, ping }: WebhookUseCases): Route[] {
  return [
    route({
      ...acts,
      path: `${ONE}/ping`,
      operationId: 'pingWebhook',
      takesKey: false,
      summary: 'Send a test message',
      description:
        'It is signed like any other, has the type `webhook.ping`, and is sent once; a person gets a message that says so. An unverified webhook whose receiver takes it is active from then on.',
      answer: pingOut,
      answerName: 'Ping',
      problems: ['key-needed', 'not-found'],
      async handle(call) {
        const { webhook, answer: came } = await ping.execute(changing(call));
        return { status: 200, body: { ...presentPing(came), webhook: presentWebhook(webhook) } };
      },
    }),
    route({
      ...acts,
      path: `${ONE}/rotate`,
      operationId: 'rotateWebhookSecret',
      summary: 'Make a new secret',
      description:
        'For a day messages are signed with both, so that no receiver refuses one. It is shown this once. Messages to people are not signed.',
      answer: secretOut,
      answerName: 'WebhookWithSecret',
      problems: ['key-needed', 'not-found', 'webhook-without-secret'],
      async handle(call) {
        const { webhook, secret, replayed } = await change.rotate(changing(call), call.idempotencyKey);
        return { status: 200, body: { secret, ...presentWebhook(webhook) }, replayed };
      },
    }),
  ];
}

function acting({ change, replay }: WebhookUseCases): Route[] {
  return [
    route({
      ...acts,
      ...answer,
      path: `${ONE}/enable`,
      operationId: 'enableWebhook',
      takesKey: false,
      summary: 'Enable a disabled webhook',
      description:
        'It goes on where it stopped, and what its receiver did not take is tried at once. One that was disabled because its key was revoked is `unverified`, until its receiver takes a ping.',
      problems: ['key-needed', 'not-found', 'webhook-not-verified'],
      handle: async (call) => ({ status: 200, body: presentWebhook(await change.enable(changing(call))) }),
    }),
    route({
      ...acts,
      ...answer,
      path: `${ONE}/disable`,
      operationId: 'disableWebhook',
      takesKey: false,
      summary: 'Disable an active webhook',
      description: 'It is sent nothing until it is enabled, and then what happened meanwhile.',
      problems: ['key-needed', 'not-found'],
      handle: async (call) => ({ status: 200, body: presentWebhook(await change.disable(changing(call))) }),
    }),
    route({
      ...acts,
      ...answer,
      path: `${ONE}/replay`,
      operationId: 'replayWebhook',
      takesKey: false,
      summary: 'Send events once more',
      description:
        'The event `seq`, or everything that the webhook wants `after` an event. Their messages have the ids that they had. Messages to people are sent again `after` an event only.',
      body: replayBody,
      problems: ['key-needed', 'not-found', 'events-gone'],
      async handle(call) {
        return { status: 200, body: presentWebhook(await replay.execute(changing(call), call.body)) };
      },
    }),
  ];
}

function deliveries({ read }: WebhookUseCases): Route {
  return route({
    ...common,
    ...reading,
    method: 'GET',
    path: `${ONE}/deliveries`,
    uuid: true,
    operationId: 'listDeliveries',
    summary: 'List what a webhook did not take, newest first',
    description: 'Events that are tried again, that wait for an earlier one of their order, or that were given up.',
    query: listQuery({}, 'place'),
    answer: listOut(deliveryOut),
    answerName: 'DeliveryList',
    problems: ['not-found'],
    async handle(call) {
      const { items, next } = await read.deliveries(keyOf(call), pageFrom(call.query, Number));
      return { status: 200, body: presentPage({ items, next: next && `${next}` }, presentDelivery) };
    },
  });
}

/** The webhook that a call changes, activates or has sent something. @throws SessionRestrained where the caller has to show its key again */
function changing(call: Pick<RouteCall<unknown, unknown>, 'principal' | 'id'>): EndpointKey {
  checkKeyShown(call.principal);
  return keyOf(call);
}

const keyOf = ({ principal: { account }, id }: Pick<RouteCall<unknown, unknown>, 'principal' | 'id'>): EndpointKey => ({
  account,
  id: id as EndpointId,
});

function presentPing(came: WebhookAnswer) {
  if (came.kind === 'taken') return { taken: true, status: null, said: '' };
  return { taken: false, status: came.status, said: came.said.slice(0, 200) };
}

const createdOut = v.object({
  secret: v.optional(
    means(
      v.nullable(v.string()),
      'What its messages are signed with, shown this once: null for a repeated request. Absent for messages to a person.',
      'whsec_…',
    ),
  ),
  ...webhookOut.entries,
});

type Creating = RouteCall<unknown, v.InferOutput<typeof createWebhookBody>>;

/** `POST /v1/webhooks`. */
function webhookCreation(use: WebhookUseCases): Route {
  return route({
    tag: 'webhooks',
    method: 'POST',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    status: 201,
    scopes: ['webhooks:write'],
    summary: 'Have events sent to an address, or as messages to a person',
    description:
      'The answer shows the secret that its messages are signed with, only this once. Nothing but pings is sent until its receiver has taken one: `POST /v1/webhooks/{id}/ping`. Then it is sent everything since it was made. With the `kind` telegram or ntfy a person gets messages, in words.',
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
  return {
    ...(await subscribe.execute({ ...common, token, target: personTargetOf(body, principal) })),
    secret: undefined,
  };
}
