import { Receiver } from '../support/receiver.js';
import { Caller } from './caller.js';
import { storyTape } from './games.js';
import { freshFolder, startStill } from './program.js';
import { access, operating, webhooks } from './stories/access.js';
import { books, service, signals } from './stories/account.js';
import { automation, automationTape } from './stories/automation.js';
import { remoteCommands, Terminal } from './stories/commands.js';
import { limits } from './stories/limits.js';
import { markets, orders } from './stories/orders.js';
import { strategies } from './stories/strategies.js';
import { Transcript } from './transcript.js';

/** Something to play on a database of its own: what is asked and said goes into the transcript. */
export interface Play {
  readonly name: string;
  readonly stores: readonly ('memory' | 'sqlite' | 'postgres')[];
  play(told: Transcript, database: string): Promise<void>;
}

const ALL = ['memory', 'sqlite', 'postgres'] as const;

async function api(told: Transcript, database: string): Promise<void> {
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
}

async function trading(told: Transcript, database: string): Promise<void> {
  const server = await startStill({ DATABASE_URL: database, MARKET_DATA: `tape:${automationTape()}` });
  await automation({ told, server, api: new Caller(told, server.url, {}, server.settled) });
  told.say(`The server ended with ${await server.stop()}`);
}

async function keys(told: Transcript, database: string): Promise<void> {
  const env = {
    DATABASE_URL: database,
    AUTH_MODE: 'keys',
    KEY_PEPPER: 'a pepper for tests alone',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOK_ALLOW_HTTP: 'on',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  const receiver = await Receiver.start();
  const allowed = { WEBHOOK_ALLOWED_PORTS: new URL(receiver.url).port };
  const server = await startStill({ ...env, ...allowed, MARKET_DATA: `tape:${storyTape()}` });
  told.hide(server.url, 'url');
  told.hide(receiver.url, 'receiver');
  await server.pass(2000);
  const stage = { told, server, api: new Caller(told, server.url, {}, server.settled) };
  const terminal = new Terminal(told, env, server.settled);
  await access(stage, terminal);
  await webhooks(stage, terminal, receiver);
  await operating(stage, terminal);
  told.say(`The server ended with ${await server.stop()}`);
  await receiver.close();
}

async function commands(told: Transcript): Promise<void> {
  const server = await startStill({ DATABASE_URL: 'memory:', MARKET_DATA: `tape:${storyTape()}` });
  told.hide(server.url, 'url');
  await server.pass(2000);
  const terminal = new Terminal(told, { STAKEPORT_URL: server.url, HOME: freshFolder() }, server.settled);
  await remoteCommands(
    { told, server, api: new Caller(new Transcript('unsaid'), server.url, {}, server.settled) },
    terminal,
  );
  await server.stop();
}

/** All that is recorded; the longest first. */
export const PLAYS: readonly Play[] = [
  { name: 'api', stores: ALL, play: api },
  { name: 'automation', stores: ALL, play: trading },
  { name: 'access', stores: ['sqlite', 'postgres'], play: keys },
  { name: 'commands', stores: ['memory'], play: commands },
];
