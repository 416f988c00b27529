import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BARE, type Contender, fastify, type Running, stakeport, start } from './contenders.js';
import { atLeast, atMost, COSTS, type Figure } from './figures.js';
import { createKey, WITH_KEYS } from './keys.js';
import { Load } from './load.js';
import { installPeers } from './peers/install.js';
import { type Part, table } from './rounds.js';
import {
  compared,
  cost,
  divided,
  LOAD_HEAD,
  type Loaded,
  loadCells,
  ORDER,
  type Slices,
  speeds,
  underLoad,
} from './under-load.js';

const DEV = 'stakeport, SQLite FULL';
const WITH_IDEMPOTENCY = 'the same, an idempotency key each';
const KEYS = 'stakeport, SQLite FULL, API keys';
const KEYS_AND_IDEMPOTENCY = 'API keys, an idempotency key each';
const MANY = 256;

const wide = (name: string): string => `${name}, ${MANY} connections`;

/** Durable orders over HTTP on SQLite: between the bare upper limit and what a user might write instead. */
export const orders: Part = async (options) => {
  const folder = await mkdtemp(join(tmpdir(), 'stakeport-bench-'));
  const url = (name: string) => `sqlite:${join(folder, `${name}.db`)}`;
  const load = new Load();
  const servers: Running[] = [];
  try {
    const key = await createKey(url('keys'));
    const peer = installPeers() ? [fastify(join(folder, 'peer.db'))] : [];
    const all: Contender[] = [BARE, ...peer, stakeport('memory', 'memory:'), stakeport('SQLite FULL', url('dev'))];
    for (const one of [...all, stakeport('SQLite FULL, API keys', url('keys'), WITH_KEYS)])
      servers.push(await start(one));
    const slices = await underLoad(load, loadedOf(servers, key), options);
    const rows = loadedOf(servers, key).map(({ name }) => [name, ...loadCells(slices(name), slices(BARE.name))]);
    const title = `Orders over HTTP: ${options.connections} connections, slices of ${options.seconds} s. ${load.said}`;
    return { text: `${title}\n\n${table(['server', ...LOAD_HEAD], rows)}`, figures: figuresOf(slices, peer[0]?.name) };
  } finally {
    load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
};

/** Each server with plain orders; those on SQLite also with idempotency keys, and one with more connections. */
function loadedOf(servers: readonly Running[], key: Readonly<Record<string, string>>): Loaded[] {
  return servers.flatMap((target): Loaded[] => {
    const { name } = target;
    const plain = { name, target, requests: ORDER };
    if (name === DEV)
      return [
        plain,
        { ...plain, name: wide(name), connections: MANY },
        { name: WITH_IDEMPOTENCY, target, requests: { ...ORDER, newKeys: true } },
      ];
    if (name === KEYS)
      return [
        { name, target, requests: { ...ORDER, headers: key } },
        { name: KEYS_AND_IDEMPOTENCY, target, requests: { ...ORDER, headers: key, newKeys: true } },
      ];
    return [plain];
  });
}

function figuresOf(slices: Slices, peer: string | undefined): Figure[] {
  const dev = slices(DEV);
  const tail = dev.map(({ p99, p50 }) => p99 / p50);
  const widened = divided(speeds(slices(wide(DEV))), speeds(dev));
  const single = { unit: '', byProcessorTime: [] };
  const against = (name: string, aim: Figure['aim'], own: string, base: string) =>
    compared(name, aim, slices(own), slices(base));
  return [
    against('durable order, SQLite, × bare node:http', atLeast(0.25), DEV, BARE.name),
    against('durable order, SQLite, × Fastify + better-sqlite3', atLeast(2.3), DEV, peer ?? ''),
    against('API keys and idempotency keys, × dev mode', atLeast(0.85), KEYS_AND_IDEMPOTENCY, DEV),
    against('API keys alone, × dev mode', null, KEYS, DEV),
    against('idempotency keys alone, × dev mode', null, WITH_IDEMPOTENCY, DEV),
    against('API keys and idempotency keys, × bare node:http', null, KEYS_AND_IDEMPOTENCY, BARE.name),
    { ...single, name: 'p99 / p50 of an order, SQLite', aim: atMost(3), rounds: tail },
    { ...single, name: `orders at ${MANY} connections, × at 64`, aim: atLeast(1), rounds: widened },
    cost(COSTS.sqliteMain, dev, 'main'),
    cost(COSTS.sqliteOthers, dev, 'others'),
  ];
}
