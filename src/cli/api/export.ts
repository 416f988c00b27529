import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command } from 'commander';
import type { Dispatcher } from 'undici';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import type { ApiClient } from './client/api-client.js';
import { ApiFailure } from './client/api-failure.js';
import { dayOrMomentOption } from './moment-option.js';
import { withOptions } from './page-options.js';
import { aside, type RemoteOptions, remoteCommand, withServer } from './remote-command.js';

interface ExportOptions extends RemoteOptions {
  readonly from?: string;
  readonly to?: string;
  readonly paper?: boolean;
  readonly live?: boolean;
  readonly out?: string;
}

const TABLES = ['bets', 'orders', 'journal'] as const;
/** A server that reads years of records before the first row of the period sends nothing meanwhile. */
const SILENT_MS = 300_000;

/** `stakeport export WHAT`. */
export function exportCommand(): Command {
  const command = remoteCommand(
    'export',
    'write bets that ended, orders, or every movement of money as CSV, for spreadsheets and tax forms',
    'stakeport export journal --live --from 2026-01-01 --to 2027-01-01 --out 2026.csv',
    'stakeport export bets > bets.csv',
  )
    .addArgument(new Argument('<what>', 'the table: journal has the profit of each sale and result').choices(TABLES))
    .option('--from <moment>', 'from that day (of UTC) or moment on', dayOrMomentOption)
    .option('--to <moment>', 'until before that day or moment', dayOrMomentOption);
  return withOptions(command, [
    ['--paper', 'only what is on paper'],
    ['--live', 'only what is with real money; both when neither is named: a column says which'],
    ['--out <file>', 'write it into this file, which is replaced once all of it has come; else to standard output'],
  ]).action((what: string, options: ExportOptions) => {
    const { from, to, paper, live } = options;
    const money = paper === live ? undefined : paper === true;
    return withServer(options, (api) =>
      download(api, api.pathOf(`/v1/export/${what}.csv`, { from, to, paper: money }), options),
    );
  });
}

async function download(api: ApiClient, path: string, options: ExportOptions): Promise<void> {
  // Not the client for answers: those are bounded in size.
  const { Client } = await import('undici');
  const client = new Client(api.server.url.origin, { headersTimeout: SILENT_MS, bodyTimeout: SILENT_MS });
  try {
    const headers = { ...api.headers(), accept: 'text/csv' };
    const request = { method: 'GET', path, headers, signal: api.interrupted } as const;
    const answer = await client.request(request).catch((error: unknown) => {
      throw unreached(api, error);
    });
    if (answer.statusCode !== 200) throw await api.failureOf(answer);
    await (options.out === undefined ? toOutput(answer.body) : toFile(answer.body, options.out));
  } finally {
    await client.destroy();
  }
  if (options.out !== undefined) aside(`Written to ${options.out}.`, options);
}

type Body = Dispatcher.ResponseData['body'];

async function toOutput(body: Body): Promise<void> {
  try {
    for await (const chunk of body) {
      // As with `| head`: nobody reads any more.
      if (!process.stdout.writable) return;
      if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
  } catch (error) {
    throw brokenOff('what was printed', error);
  }
}

async function toFile(body: Body, file: string): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(body, createWriteStream(part));
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    if (error instanceof Error && 'syscall' in error && 'path' in error)
      throw new CommandFailed(`${file} cannot be written: ${error.message}.`, EXIT.no, error);
    throw brokenOff('the file', error);
  }
}

function unreached({ server: { url, from } }: ApiClient, error: unknown): ApiFailure {
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  return new ApiFailure(
    `${url.origin} is not reached${code}. Is the server running, and is ${from} right? Nothing was sent.`,
    EXIT.unavailable,
  );
}

const brokenOff = (what: string, cause: unknown) =>
  new CommandFailed(`The answer broke off, so ${what} is not whole. Run the same again.`, EXIT.unavailable, cause);
