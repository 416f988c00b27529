import { describe, it } from 'vitest';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { books, limits, markets, orders, service, signals, storyTape, strategies } from './api-story.js';
import { Caller } from './caller.js';
import { startStill } from './program.js';
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
});
