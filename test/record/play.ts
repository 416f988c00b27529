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
import { commandedFromAChat, GROUP } from './stories/chat.js';
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
  play(transcript: Transcript, database: string): Promise<readonly Transcript[]>;
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

async function api(transcript: Transcript, database: string): Promise<readonly Transcript[]> {
  const server = await startStill({ DATABASE_URL: database, MARKET_DATA: `tape:${storyTape()}` });
  transcript.hide(server.url, 'url');
  const fixture = { transcript: transcript, server, api: new Caller(transcript, server.url, {}, server.settled) };
  await service(fixture);
  await server.pass(2000);
  await markets(fixture);
  const strategyId = await strategies(fixture);
  await orders(fixture, strategyId);
  await limits(fixture);
  await signals(fixture);
  await books(fixture);
  transcript.say(`The server ended with ${await server.stop()}`);
  if (!database.startsWith('sqlite:')) return [];
  const rows = new Transcript('rows');
  await rowsOf(rows, database.replace('sqlite:', ''));
  return [rows];
}

async function trading(transcript: Transcript, database: string): Promise<readonly Transcript[]> {
  const server = await startStill({ DATABASE_URL: database, MARKET_DATA: `tape:${automationTape()}` });
  await automation({ transcript: transcript, server, api: new Caller(transcript, server.url, {}, server.settled) });
  transcript.say(`The server ended with ${await server.stop()}`);
  return [];
}

async function lives(transcript: Transcript, database: string): Promise<readonly Transcript[]> {
  const money = { PAPER_BALANCE_USDC: '1000' };
  const server = await startStill({ ...money, DATABASE_URL: database, MARKET_DATA: `tape:${lifeTape()}` });
  await marketLife({ transcript: transcript, server, api: new Caller(transcript, server.url, {}, server.settled) });
  transcript.say(`The server ended with ${await server.stop()}`);
  if (!database.startsWith('sqlite:')) return [];
  const audit = new Transcript('audit');
  const terminal = new Terminal(audit, { DATABASE_URL: database, HOME: freshFolder() }, async () => {});
  await audits(audit, terminal, database.replace('sqlite:', ''));
  return [audit];
}

async function venues(transcript: Transcript, database: string): Promise<readonly Transcript[]> {
  const venue = await FakePolymarketRest.start();
  const urls = { POLYMARKET_GAMMA_URL: `${venue.gamma}`, POLYMARKET_CLOB_URL: `${venue.clob}` };
  const env = { DATABASE_URL: database, MARKET_DATA: 'polymarket', POLYMARKET_WS_URL: 'ws://127.0.0.1:9', ...urls };
  const server = await startStill(env, { at: LISTED_AT });
  await listedMarkets(
    { transcript: transcript, server, api: new Caller(transcript, server.url, {}, server.settled) },
    venue,
  );
  transcript.say(`The server ended with ${await server.stop()}`);
  await venue.close();
  const plain = await startStill({ DATABASE_URL: database });
  await withoutMarketData({
    transcript: transcript,
    server: plain,
    api: new Caller(transcript, plain.url, {}, plain.settled),
  });
  await plain.stop();
  const rich = await startStill({
    DATABASE_URL: database,
    PAPER_BALANCE_USDC: MUCH,
    MARKET_DATA: `tape:${richTape()}`,
  });
  await richAccount({ transcript: transcript, server: rich, api: new Caller(transcript, rich.url, {}, rich.settled) });
  await rich.stop();
  return [];
}

async function keys(transcript: Transcript, database: string): Promise<readonly Transcript[]> {
  const env = { ...KEYS, DATABASE_URL: database };
  const receiver = await Receiver.start();
  const allowed = { WEBHOOK_ALLOWED_PORTS: new URL(receiver.url).port };
  const server = await startStill({ ...env, ...allowed, MARKET_DATA: `tape:${storyTape()}` });
  transcript.hide(server.url, 'url');
  transcript.hide(receiver.url, 'receiver');
  transcript.hide(new URL(receiver.url).host, 'host of receiver');
  await server.pass(2000);
  const fixture = { transcript: transcript, server, api: new Caller(transcript, server.url, {}, server.settled) };
  const terminal = new Terminal(transcript, env, server.settled);
  await access(fixture, terminal);
  await webhooks(fixture, terminal, receiver);
  await operating(fixture, terminal);
  transcript.say(`The server ended with ${await server.stop()}`);
  await receiver.close();
  return [];
}

async function edges(transcript: Transcript, database: string): Promise<readonly Transcript[]> {
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
    transcript.hide(text, word);
  await server.pass(2000);
  const fixture = { transcript: transcript, server, api: new Caller(transcript, server.url, {}, server.settled) };
  const terminal = new Terminal(transcript, env, server.settled);
  const key = await keyOf(
    terminal,
    fixture,
    'gil',
    'orders:read,orders:paper,risk:write,strategies:write,webhooks:write',
  );
  await protocol(fixture);
  await people(fixture, terminal, { telegram, ntfy, key });
  await stream(fixture, { authorization: `Bearer ${key}` });
  await sessions(fixture, terminal);
  await givenUp(fixture, terminal, telegram);
  const document = new Transcript('openapi');
  document.hide(server.url, 'url');
  const { paths, components, ...rest } = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApi;
  document.say(JSON.stringify(rest));
  for (const [path, methods] of Object.entries(paths))
    for (const [method, one] of Object.entries(methods))
      document.say(`${method.toUpperCase()} ${path} ${JSON.stringify(one)}`);
  for (const [kind, named] of Object.entries(components))
    for (const [name, one] of Object.entries(named)) document.say(`${kind} ${name} ${JSON.stringify(one)}`);
  transcript.say(`The server ended with ${await server.stop()}`);
  await files(fixture, terminal.with({}), database);
  await Promise.all([telegram.close(), ntfy.close()]);
  return [document];
}

async function chat(transcript: Transcript, database: string): Promise<readonly Transcript[]> {
  const telegram = await FakeTelegram.start();
  telegram.allow(GROUP);
  const { SECRETS_KEY } = KEYS;
  const env = { DATABASE_URL: database, SECRETS_KEY, MARKET_DATA: `tape:${storyTape()}` };
  const server = await startStill({ ...env, TELEGRAM_API_URL: telegram.url });
  transcript.hide(BOT_TOKEN, 'token');
  await server.pass(2000);
  const api = new Caller(transcript, server.url, {}, server.settled);
  await commandedFromAChat({ transcript: transcript, server, api }, telegram);
  transcript.say(`The server ended with ${await server.stop()}`);
  await telegram.close();
  return [];
}

async function commands(transcript: Transcript): Promise<readonly Transcript[]> {
  const server = await startStill({ DATABASE_URL: 'memory:', MARKET_DATA: `tape:${storyTape()}` });
  transcript.hide(server.url, 'url');
  await server.pass(2000);
  const terminal = new Terminal(transcript, { STAKEPORT_URL: server.url, HOME: freshFolder() }, server.settled);
  await remoteCommands(
    { transcript: transcript, server, api: new Caller(new Transcript('unsaid'), server.url, {}, server.settled) },
    terminal,
  );
  await server.stop();
  return [];
}

async function library(transcript: Transcript): Promise<readonly Transcript[]> {
  const { code, stdout, stderr } = await command([], { program: join(ROOT, 'test/record/embedded.mjs') });
  transcript.say(stdout);
  transcript.say(`${stderr}(exit code ${code})`);
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
  { name: 'chat', stores: ALL, play: chat },
  { name: 'library', stores: ['memory'], play: library },
  { name: 'commands', stores: ['memory'], play: commands },
];
