import { describe, it } from 'vitest';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
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

const STORES = {
  memory: async () => 'memory:',
  sqlite: async () => freshSqliteFile().url,
  postgres: async () => (await freshPostgres()).url,
};

describe.each(Object.entries(STORES))('The built server on %s', (_, database) => {
  it('answers as it did', { timeout: 120_000 }, async () => {
    const env = { DATABASE_URL: await database(), MARKET_DATA: `tape:${storyTape()}` };
    const server = await startStill(env);
    const told = new Transcript('api');
    told.hide(server.url, 'url');
    const stage = { told, server, api: new Caller(told, server.url) };
    await service(stage);
    await server.pass(2000);
    await markets(stage);
    const strategyId = await strategies(stage);
    await orders(stage, strategyId);
    await limits(stage);
    await signals(stage);
    await books(stage);
    told.say(`The server ended with ${await server.stop()}`);
    told.check();
  });

  it('lets strategies trade as it did', { timeout: 120_000 }, async () => {
    const server = await startStill({ DATABASE_URL: await database(), MARKET_DATA: `tape:${automationTape()}` });
    const told = new Transcript('automation');
    await automation({ told, server, api: new Caller(told, server.url) });
    told.say(`The server ended with ${await server.stop()}`);
    told.check();
  });
});

describe.each(Object.entries(STORES).slice(1))('The built server with keys on %s', (_, database) => {
  it('lets in, tells and is looked after as it was', { timeout: 240_000 }, async () => {
    const env = {
      DATABASE_URL: await database(),
      AUTH_MODE: 'keys',
      KEY_PEPPER: 'a pepper for tests alone',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    };
    const receiver = await Receiver.start();
    const allowed = { WEBHOOK_ALLOWED_PORTS: new URL(receiver.url).port };
    const server = await startStill({ ...env, ...allowed, MARKET_DATA: `tape:${storyTape()}` });
    const told = new Transcript('access');
    told.hide(server.url, 'url');
    told.hide(receiver.url, 'receiver');
    await server.pass(2000);
    const stage = { told, server, api: new Caller(told, server.url) };
    const terminal = new Terminal(told, env);
    await access(stage, terminal);
    await webhooks(stage, terminal, receiver);
    await operating(stage, terminal);
    told.say(`The server ended with ${await server.stop()}`);
    await receiver.close();
    told.check();
  });
});

it('The command line says what it said to a server', { timeout: 240_000 }, async () => {
  const told = new Transcript('commands');
  const server = await startStill({ DATABASE_URL: 'memory:', MARKET_DATA: `tape:${storyTape()}` });
  told.hide(server.url, 'url');
  await server.pass(2000);
  const terminal = new Terminal(told, { STAKEPORT_URL: server.url, HOME: freshFolder() });
  await remoteCommands({ told, server, api: new Caller(new Transcript('unsaid'), server.url) }, terminal);
  told.check();
});
