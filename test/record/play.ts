import { join } from 'node:path';
import { ROOT } from '../support/build.js';
import { FakeNtfy, NTFY_TOKEN } from '../support/fake-messengers/fake-ntfy.js';
import { BOT_TOKEN, FakeTelegram } from '../support/fake-messengers/fake-telegram.js';
import { FakePolymarketRest } from '../support/fake-polymarket/rest.js';
import { Receiver } from '../support/receiver.js';
import { Caller } from './caller.js';
import { storyTape } from './games.js';
import { command, freshFolder, startStill } from './program.js';
import { access, keyOf, operating, webhooks } from './stories/access.js';
import { books, service, signals } from './stories/account.js';
import { automation, automationTape } from './stories/automation.js';
import { remoteCommands, Terminal } from './stories/commands.js';
import { files, givenUp, people, protocol, sessions, stream } from './stories/edges.js';
import { limits } from './stories/limits.js';
import { audits, lifeTape, marketLife } from './stories/market-life.js';
import { markets, orders } from './stories/orders.js';
import { rowsOf } from './stories/rows.js';
import { strategies } from './stories/strategies.js';
import { LISTED_AT, listedMarkets, MUCH, richAccount, richTape, withoutMarketData } from './stories/venues.js';
import { Transcript } from './transcript.js';

/** Something to play on a database of its own: what is asked and said goes into the transcript. */
export interface Play {
  readonly name: string;
  readonly stores: readonly ('memory' | 'sqlite' | 'postgres')[];
  /** Resolves with what else there is to compare. */
  play(told: Transcript, database: string): Promise<readonly Transcript[]>;
}

/** The settings of a server with keys, for tests alone. */
const KEYS = {
  AUTH_MODE: 'keys',
  KEY_PEPPER: 'a pepper for tests alone',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  WEBHOOK_ALLOW_HTTP: 'on',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
};
type Named = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface OpenApi {
  readonly paths: Named;
  readonly components: Named;
}

const ALL = ['memory', 'sqlite', 'postgres'] as const;

async function api(told: Transcript, database: string): Promise<readonly Transcript[]> {
  const server = await startStill({ DATABASE_URL: database, MARKET_DATA: `tape:${storyTape()}` });
  told.hide(server.url, 'url');
  const stage = { told, server, api: new Caller(told, server.url, {}, server.settled) };
  await service(stage);
  await server.pass(2000);
  await markets(stage);
  const strategyId = await strategies(stage);
  await orders(stage, strategyId);
  await limits(stage);
  await signals(stage);
  await books(stage);
  told.say(`The server ended with ${await server.stop()}`);
  if (!database.startsWith('sqlite:')) return [];
  const rows = new Transcript('rows');
  await rowsOf(rows, database.replace('sqlite:', ''));
  return [rows];
}

async function trading(told: Transcript, database: string): Promise<readonly Transcript[]> {
  const server = await startStill({ DATABASE_URL: database, MARKET_DATA: `tape:${automationTape()}` });
  await automation({ told, server, api: new Caller(told, server.url, {}, server.settled) });
  told.say(`The server ended with ${await server.stop()}`);
  return [];
}

async function lives(told: Transcript, database: string): Promise<readonly Transcript[]> {
  const money = { PAPER_BALANCE_USDC: '1000' };
  const server = await startStill({ ...money, DATABASE_URL: database, MARKET_DATA: `tape:${lifeTape()}` });
  await marketLife({ told, server, api: new Caller(told, server.url, {}, server.settled) });
  told.say(`The server ended with ${await server.stop()}`);
  if (!database.startsWith('sqlite:')) return [];
  const audit = new Transcript('audit');
  const terminal = new Terminal(audit, { DATABASE_URL: database, HOME: freshFolder() }, async () => {});
  await audits(audit, terminal, database.replace('sqlite:', ''));
  return [audit];
}

async function venues(told: Transcript, database: string): Promise<readonly Transcript[]> {
  const venue = await FakePolymarketRest.start();
  const urls = { POLYMARKET_GAMMA_URL: `${venue.gamma}`, POLYMARKET_CLOB_URL: `${venue.clob}` };
  const env = { DATABASE_URL: database, MARKET_DATA: 'polymarket', POLYMARKET_WS_URL: 'ws://127.0.0.1:9', ...urls };
  const server = await startStill(env, { at: LISTED_AT });
  await listedMarkets({ told, server, api: new Caller(told, server.url, {}, server.settled) }, venue);
  told.say(`The server ended with ${await server.stop()}`);
  await venue.close();
  const plain = await startStill({ DATABASE_URL: database });
  await withoutMarketData({ told, server: plain, api: new Caller(told, plain.url, {}, plain.settled) });
  await plain.stop();
  const rich = await startStill({
    DATABASE_URL: database,
    PAPER_BALANCE_USDC: MUCH,
    MARKET_DATA: `tape:${richTape()}`,
  });
  await richAccount({ told, server: rich, api: new Caller(told, rich.url, {}, rich.settled) });
  await rich.stop();
  return [];
}

async function keys(told: Transcript, database: string): Promise<readonly Transcript[]> {
  const env = { ...KEYS, DATABASE_URL: database };
  const receiver = await Receiver.start();
  const allowed = { WEBHOOK_ALLOWED_PORTS: new URL(receiver.url).port };
  const server = await startStill({ ...env, ...allowed, MARKET_DATA: `tape:${storyTape()}` });
  told.hide(server.url, 'url');
  told.hide(receiver.url, 'receiver');
  told.hide(new URL(receiver.url).host, 'host of receiver');
  await server.pass(2000);
  const stage = { told, server, api: new Caller(told, server.url, {}, server.settled) };
  const terminal = new Terminal(told, env, server.settled);
  await access(stage, terminal);
  await webhooks(stage, terminal, receiver);
  await operating(stage, terminal);
  told.say(`The server ended with ${await server.stop()}`);
  await receiver.close();
  return [];
}

async function edges(told: Transcript, database: string): Promise<readonly Transcript[]> {
  const [telegram, ntfy] = await Promise.all([FakeTelegram.start(), FakeNtfy.start()]);
  const env = { ...KEYS, DATABASE_URL: database, HOME: freshFolder(), MARKET_DATA: `tape:${storyTape()}` };
  const ports = [telegram, ntfy].map(({ url }) => new URL(url).port).join(',');
  const server = await startStill({ ...env, WEBHOOK_ALLOWED_PORTS: ports, TELEGRAM_API_URL: telegram.url });
  for (const [text, word] of [
    [server.url, 'url'],
    [new URL(server.url).host, 'host'],
    [telegram.url, 'telegram'],
    [ntfy.url, 'ntfy'],
    [BOT_TOKEN, 'token'],
    [NTFY_TOKEN, 'token'],
    [env.HOME, 'home'],
  ] as const)
    told.hide(text, word);
  await server.pass(2000);
  const stage = { told, server, api: new Caller(told, server.url, {}, server.settled) };
  const terminal = new Terminal(told, env, server.settled);
  const key = await keyOf(
    terminal,
    stage,
    'gil',
    'orders:read,orders:paper,risk:write,strategies:write,webhooks:write',
  );
  await protocol(stage);
  await people(stage, terminal, { telegram, ntfy, key });
  await stream(stage, { authorization: `Bearer ${key}` });
  await sessions(stage, terminal);
  await givenUp(stage, terminal, telegram);
  const document = new Transcript('openapi');
  document.hide(server.url, 'url');
  const { paths, components, ...rest } = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApi;
  document.say(JSON.stringify(rest));
  for (const [path, methods] of Object.entries(paths))
    for (const [method, one] of Object.entries(methods))
      document.say(`${method.toUpperCase()} ${path} ${JSON.stringify(one)}`);
  for (const [kind, named] of Object.entries(components))
    for (const [name, one] of Object.entries(named)) document.say(`${kind} ${name} ${JSON.stringify(one)}`);
  told.say(`The server ended with ${await server.stop()}`);
  await files(stage, terminal.with({}), database);
  await Promise.all([telegram.close(), ntfy.close()]);
  return [document];
}

async function commands(told: Transcript): Promise<readonly Transcript[]> {
  const server = await startStill({ DATABASE_URL: 'memory:', MARKET_DATA: `tape:${storyTape()}` });
  told.hide(server.url, 'url');
  await server.pass(2000);
  const terminal = new Terminal(told, { STAKEPORT_URL: server.url, HOME: freshFolder() }, server.settled);
  await remoteCommands(
    { told, server, api: new Caller(new Transcript('unsaid'), server.url, {}, server.settled) },
    terminal,
  );
  await server.stop();
  return [];
}

async function library(told: Transcript): Promise<readonly Transcript[]> {
  const { code, stdout, stderr } = await command([], { program: join(ROOT, 'test/record/embedded.mjs') });
  told.say(stdout);
  told.say(`${stderr}(exit code ${code})`);
  return [];
}

/** All that is recorded; the longest first. */
export const PLAYS: readonly Play[] = [
  { name: 'api', stores: ALL, play: api },
  { name: 'automation', stores: ALL, play: trading },
  { name: 'lives', stores: ['memory', 'sqlite'], play: lives },
  { name: 'venues', stores: ['memory'], play: venues },
  { name: 'access', stores: ['sqlite', 'postgres'], play: keys },
  { name: 'edges', stores: ['sqlite'], play: edges },
  { name: 'library', stores: ['memory'], play: library },
  { name: 'commands', stores: ['memory'], play: commands },
];
