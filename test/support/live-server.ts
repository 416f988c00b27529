import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KNOWN_ADDRESS } from '../adapters/polymarket/signing/known-address.js';
import { afterEachFile } from './after-file.js';
import { Client } from './http.js';
import { DEPOSIT, deploymentOf, enrol, type LiveStart, writeKey } from './live-deployment.js';
import { type RunningServer, startServer } from './processes.js';

export { DEPOSIT, enrol, listedMarket, TRADER } from './live-deployment.js';

type Variables = Readonly<Record<string, string>>;

const folders: string[] = [];

afterEachFile(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The built server with LIVE_TRADING=on, in a process of its own. */
export interface LiveServer extends RunningServer {
  /** Calls as the trader, with every scope. */
  readonly client: Client;
  /** The whole environment of the server, for commands beside it. */
  readonly env: Variables;
  /** Starts one more server on the same database, with the same key: after this one was killed, or beside it. */
  again(env?: Variables): Promise<LiveServer>;
}

/** The environment of a server that trades with real money at this venue. */
export const liveEnvironment = (start: LiveStart): Variables => deploymentOf(start, keyFile());

/** Enrols a trader, gives the wallet its money at the venue, starts the server and waits until it has caught up. */
export async function startLive(start: LiveStart): Promise<LiveServer> {
  const key = await enrol(start.databaseUrl);
  start.venue.fund(KNOWN_ADDRESS, DEPOSIT.dollars);
  return startDeployed(liveEnvironment(start), key);
}

/** Starts a server in this environment, for the trader with this key. */
export async function startDeployed(env: Variables, key: string): Promise<LiveServer> {
  const server = await startServer({ env });
  const client = new Client(server.url, { authorization: `Bearer ${key}` });
  return { ...server, client, env, again: (more = {}) => startDeployed({ ...env, ...more }, key) };
}

/** A new file that only its owner may read, with the publicly known key. */
export function keyFile(key?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-key-'));
  folders.push(folder);
  return writeKey(join(folder, 'key'), key);
}
