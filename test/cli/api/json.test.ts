import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUTH_SCOPES } from '../../../src/core/access/principal.js';
import { type Json, type Operation, operationsOf } from '../../e2e/operations.js';
import { approvalOf } from '../../e2e/own-records.js';
import { ORDER, ORDERS, type RunningApp, SIGNAL, SIGNALS, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';
import { NOBODY, webhookOf } from '../../support/app-webhooks.js';
import type { Client } from '../../support/http.js';
import { PAGES } from '../../support/pages.js';
import { quotedMarkets } from '../../support/quoted-markets.js';
import { against, asked, person, type Said } from './remote.js';
import { REMOTE_CALLS } from './remote-calls.js';

/** The operation of the API whose answer each command prints with `--json`. */
const OPERATIONS: Readonly<Record<string, string>> = {
  markets: 'listMarkets',
  market: 'getMarket',
  book: 'getMarketBook',
  buy: 'placeOrder',
  sell: 'placeOrder',
  orders: 'listOrders',
  order: 'getOrder',
  cancel: 'cancelOrder',
  portfolio: 'getPortfolio',
  positions: 'getPortfolio',
  history: 'listBets',
  alarms: 'listAlarms',
  results: 'listResults',
  strategies: 'listStrategies',
  'strategy show': 'getStrategy',
  'strategy validate': 'validateStrategy',
  'strategy create': 'createStrategy',
  'strategy edit': 'updateStrategy',
  'strategy clone': 'createStrategy',
  'strategy pause': 'pauseStrategy',
  'strategy resume': 'resumeStrategy',
  'strategy archive': 'deleteStrategy',
  decisions: 'listDecisions',
  evaluate: 'evaluateStrategy',
  approvals: 'listApprovals',
  approve: 'approveBet',
  reject: 'rejectBet',
  'signals list': 'listSignals',
  'signals put': 'putSignal',
  'signals import': 'putSignal',
  'signals delete': 'deleteSignal',
  'limits list': 'getLimits',
  'limits set': 'setLimits',
  halt: 'setTradingState',
  reduce: 'setTradingState',
  resume: 'setTradingState',
  'paper reset': 'resetPaperAccount',
  events: 'listEvents',
  'webhooks list': 'listWebhooks',
  'webhooks show': 'getWebhook',
  'webhooks add': 'createWebhook',
  'webhooks telegram': 'createWebhook',
  'webhooks ntfy': 'createWebhook',
  'webhooks change': 'changeWebhook',
  'webhooks ping': 'pingWebhook',
  'webhooks rotate': 'rotateWebhookSecret',
  'webhooks deliveries': 'listDeliveries',
  'webhooks replay': 'replayWebhook',
  'webhooks disable': 'disableWebhook',
  'webhooks enable': 'enableWebhook',
  'webhooks remove': 'deleteWebhook',
};
/** What docs/cli.md describes, since it is no answer of one operation. */
const OF_THE_PAGE = ['login', 'status', 'export'];
/** What asks for a token before anything else. */
const TYPED = '123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const folder = mkdtempSync(join(tmpdir(), 'stakeport-json-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const CREATED = file('new.json', JSON.stringify(STRATEGY));
const CHANGED = file('changed.json', JSON.stringify({ name: 'Other favourites' }));
const SAID = file(
  'signals.csv',
  `name,market_id,outcome,probability,expires_at\nelo,will-it-rain,Yes,0.5,${SIGNAL.expires_at}\n`,
);
const MISSING = '00000000-0000-4000-8000-000000000000';

let app: RunningApp;
let client: Client;
let operations: ReadonlyMap<string, Operation>;
const ajv = new Ajv2020({ strict: false, validateFormats: true });
addFormats.default(ajv);

beforeAll(async () => {
  app = await startApp({ authenticator: 'keys', markets: quotedMarkets() });
  client = await app.keyed('json', ...AUTH_SCOPES);
  // One schema has all parts, so that each is compiled once.
  const text = (await client.get('/openapi.json')).text.replaceAll('"#/components/', '"api#/components/');
  const document: Json = JSON.parse(text);
  ajv.addSchema({ $id: 'api', components: document['components'] });
  operations = new Map(operationsOf(document).map((one) => [one.operationId, one]));
});
afterAll(() => rmSync(folder, { recursive: true }));

const keyOf = ({ headers }: Client): string => String(headers['authorization']).replace('Bearer ', '');

/** How a command is called about something that is there. */
async function callOf(name: string): Promise<readonly string[]> {
  const args = [...(REMOTE_CALLS[`stakeport ${name}`] ?? [])].map((arg) =>
    arg === 'derby-slug' ? 'will-it-rain' : arg,
  );
  if (name === 'events') return ['events'];
  if (name === 'signals put') return ['signals', 'put', 'elo', 'will-it-rain', 'Yes=0.5', '--expires', '2h'];
  if (name === 'signals import') return ['signals', 'import', SAID];
  if (name === 'webhooks add') return ['webhooks', 'add', NOBODY];
  if (name === 'signals delete') await client.put(`${SIGNALS}/elo/will-it-rain`, SIGNAL);
  const files: readonly string[] = args.map((arg) =>
    arg.endsWith('.json') ? (name === 'strategy edit' ? CHANGED : CREATED) : arg,
  );
  if (!files.includes(MISSING)) return files;
  const id = await recordFor(name);
  return files.map((arg) => (arg === MISSING ? id : arg));
}

async function recordFor(name: string): Promise<string> {
  if (name.startsWith('webhooks')) return webhookOf('json', app.ledger);
  if (/approve|reject/.test(name)) return approvalOf('json', client, app.ledger);
  const [path, body] = /^(order|cancel)$/.test(name) ? [ORDERS, ORDER] : [STRATEGIES, STRATEGY];
  return (await client.post(path, body)).json<{ id: string }>().id;
}

/** With `--json`, and where a token is asked for, one. */
const run = (...args: readonly string[]): Promise<Said> =>
  asked({ ...person(), askHidden: async () => TYPED }, ...args, '--json');

/** What is wrong with a document that a command printed; undefined where nothing is. */
function faultOf(name: string, { out, err }: Said): string | undefined {
  const { responses = {} } = operations.get(OPERATIONS[name] ?? '') ?? {};
  const schemas = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? [content['application/json']?.schema] : [],
  );
  const lines = out.split('\n').slice(0, -1);
  if (schemas.every((schema) => schema === undefined)) return out === '' ? undefined : `prints ${out}`;
  if (lines.length !== 1) return `prints ${lines.length} lines: ${out}${err}`;
  const found = schemas.some((schema) => schema !== undefined && ajv.validate(schema, JSON.parse(out)));
  return found ? undefined : `${ajv.errorsText()}: ${out}`;
}

/** Says whether a failure is one document on standard error, and which. */
function failureIn({ out, err }: Said): { error: string; exit: number; problem: { status: number } | null } | string {
  const lines = err.split('\n').slice(0, -1);
  if (out !== '' || lines.length !== 1) return `${out}${err}`;
  return JSON.parse(err);
}

async function failuresOf(names: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const said: Record<string, unknown> = {};
  for (const name of names) {
    const failure = failureIn(await run(...(REMOTE_CALLS[`stakeport ${name}`] ?? [])));
    said[name] = typeof failure === 'string' ? failure : [failure.exit, failure.problem?.status ?? null];
  }
  return said;
}

const each = (names: readonly string[], value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
const NAMES = Object.keys(OPERATIONS);

describe('Every command with --json', () => {
  it('prints what the document of the API or docs/cli.md describes', async () => {
    expect([...NAMES, ...OF_THE_PAGE, 'logout'].map((name) => `stakeport ${name}`).sort()).toEqual(
      [...Object.keys(REMOTE_CALLS), 'stakeport logout'].sort(),
    );
    for (const name of OF_THE_PAGE) expect(PAGES.get('docs/cli.md')).toContain(`| \`stakeport ${name}`);
    against({ STAKEPORT_URL: app.url, STAKEPORT_KEY: keyOf(client) });
    const faults: Record<string, unknown> = {};
    for (const name of NAMES) faults[name] = faultOf(name, await run(...(await callOf(name))));
    // Paper orders of this server fill at once; cli/api/acting.test.ts cancels one.
    expect(faults).toEqual({ ...each(NAMES, undefined), cancel: expect.stringContaining('"exit":1') });
  });

  it('says in one document that a key has no right', async () => {
    const stranger = await app.keyed('stranger', 'orders:live');
    against({ STAKEPORT_URL: app.url, STAKEPORT_KEY: keyOf(stranger) });
    // Whoever may place orders may say no to one.
    expect(await failuresOf(NAMES)).toEqual({ ...each(NAMES, [1, 403]), reject: [1, 404] });
  });

  it('says in one document that the key is unknown', async () => {
    against({ STAKEPORT_URL: app.url, STAKEPORT_KEY: 'sp_0123456789abcdef_nobody' });
    expect(await failuresOf(NAMES)).toEqual(each(NAMES, [78, 401]));
  });

  it('says in one document that the server is gone', async () => {
    against({ STAKEPORT_URL: 'http://127.0.0.1:1' });
    expect(await failuresOf(NAMES)).toEqual(each(NAMES, [69, null]));
  });

  it('says in one document that a name is unknown', async () => {
    against({ STAKEPORT_URL: app.url, STAKEPORT_KEY: keyOf(client) });
    const names = NAMES.filter((name) => REMOTE_CALLS[`stakeport ${name}`]?.includes(MISSING));
    expect(names.length).toBeGreaterThan(20);
    expect(await failuresOf(names)).toEqual(each(names, [1, 404]));
  });
});
