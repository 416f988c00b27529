import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOCAL_SERVER } from '../../cli/api/client/server-address.js';
import { runServer } from './run-server.js';

/** The recording, which comes with the package. */
const TAPE = fileURLToPath(new URL('../../../examples/demo.jsonl', import.meta.url));

/** What a first look needs; PORT and LOG_… are those of the process, and so is the pace. */
const SETTINGS = {
  HOST: '127.0.0.1',
  NODE_ENV: '',
  AUTH_MODE: 'dev',
  LIVE_TRADING: 'off',
  DATABASE_URL: 'memory:',
  TAPE_START: 'request',
};
/** A plot has its first points after some seconds. */
const POINTS = { EQUITY_EVERY: '2s' };

/** `stakeport demo`: a server that plays a recording for whoever comes first, and keeps nothing. */
export function runDemo(): Promise<void> {
  const paced = { TAPE_SPEED: process.env['TAPE_SPEED'] ?? '1' };
  const settings = { ...SETTINGS, ...POINTS, ...paced, MARKET_DATA: `tape:${shortest(TAPE)}` };
  return runServer({ settings, note });
}

/** As a person would name it: a file below the working directory without that. */
function shortest(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') || isAbsolute(below) ? path : below;
}

function note(url: string): readonly string[] {
  const where = url === LOCAL_SERVER ? '' : `STAKEPORT_URL=${url} `;
  return [
    `In another shell: ${where}npx stakeport buy home-away Home --usdc 14 --price 0.6`,
    '^C ends it, and the same command begins anew.',
  ];
}
