import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUTH_SCOPES } from '../../../src/core/access/principal.js';
import type { AccountId } from '../../../src/core/ids.js';
import { EVENT_TYPES } from '../../../src/core/ledger/event-log.js';
import { ORDER, ORDERS, type RunningApp, STRATEGIES, STRATEGY, startApp, WEBHOOKS } from '../../support/app.js';
import { Receiver } from '../../support/receiver.js';

interface Shown {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>> };
  readonly responses: Readonly<Record<string, object>>;
  readonly security: readonly object[];
}

interface Document {
  readonly webhooks?: Readonly<Record<string, { readonly post: Shown }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Body>> };
}

interface Body {
  readonly properties: { readonly type: object };
}

let app: RunningApp;
let receiver: Receiver;
let document: Document;
beforeAll(async () => {
  app = await startApp({ authenticator: 'keys' });
  receiver = await Receiver.start();
  document = (await app.client.get('/openapi.json')).json();
});
afterAll(() => receiver.close());

const bodyNameOf = ({ requestBody }: Shown) =>
  `${requestBody.content['application/json']?.schema.$ref}`.replace('#/components/schemas/', '');

describe('What the document says of messages to webhooks', () => {
  it('matches what a receiver gets for pings and events', async () => {
    const alice = await app.keyed('alice', ...AUTH_SCOPES);
    const made = (await alice.post(WEBHOOKS, { url: receiver.url })).json<{ id: string; secret: string }>();
    receiver.secret = made.secret;
    await alice.post(`${WEBHOOKS}/${made.id}/ping`, {});
    const strategy = (await alice.post(STRATEGIES, STRATEGY)).json<{ id: string }>();
    await alice.post(ORDERS, { ...ORDER, strategy_id: strategy.id });
    const state = { scope: 'account', state: 'halted', stops: 'all', reason: 'a test' };
    expect((await alice.post('/v1/trading/state', state)).status).toBe(200);
    for (const webhook of await app.ledger.endpoints.list('alice' as AccountId))
      await app.webhooks.use.deliver.execute(webhook, () => true);

    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const kinds = new Set<string>();
    for (const { headers, text } of receiver.raw) {
      const message = JSON.parse(text);
      const kind = message.type === 'webhook.ping' ? 'ping' : message.type.split('.')[0];
      kinds.add(kind);
      const shown = document.webhooks?.[kind]?.post as Shown;
      for (const { name, ...rest } of shown.parameters) {
        expect(headers).toHaveProperty(name);
        expect(rest).toMatchObject({ in: 'header', required: true });
      }
      expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toHaveLength(shown.parameters.length);
      expect(headers['content-type']).toBe(Object.keys(shown.requestBody.content)[0]);
      const schema = document.components.schemas[bodyNameOf(shown)];
      const { data, ...rest } = message;
      expect(ajv.validate(schema as object, message), ajv.errorsText()).toBe(true);
      expect(ajv.validate(schema as object, { ...message, type: 'order.lost' })).toBe(false);
      if (kind !== 'ping') expect(ajv.validate(schema as object, { ...rest, data: { ...data, data: {} } })).toBe(false);
    }
    expect(kinds).toEqual(new Set(['ping', 'webhook', 'strategy', 'order', 'trading']));
  });

  it('has each type of event once', () => {
    const bodies = Object.values(document.webhooks ?? {}).map(
      ({ post }) => document.components.schemas[bodyNameOf(post)],
    );
    const types = bodies.flatMap((body) => {
      const { enum: several = [], const: one } = (body as Body).properties.type as { enum?: string[]; const?: string };
      return one === undefined ? several : [one];
    });
    expect(types.toSorted()).toEqual([...EVENT_TYPES, 'webhook.ping'].toSorted());
  });

  it('says which answers a receiver may give, and asks for no credentials', () => {
    for (const { post } of Object.values(document.webhooks ?? {})) {
      expect(Object.keys(post.responses).toSorted()).toEqual(['2XX', '410', '429', 'default']);
      expect(post.security).toEqual([]);
    }
  });

  it('is not there where no webhooks are', async () => {
    const bare = await startApp({ routes: [] });
    expect((await bare.client.get('/openapi.json')).json<Document>().webhooks).toBeUndefined();
  });
});
