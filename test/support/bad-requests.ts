import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.js';
import type { Client, Reply } from './http.js';
import { Wire } from './wire.js';

/** One row of `test/fixtures/bad-requests.jsonl`; its README explains the columns. */
export interface BadRequest {
  readonly id: string;
  readonly mode: 'any' | 'dev' | 'prod' | 'prod-live-disabled';
  readonly transport: 'http' | 'raw';
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly raw: string;
  readonly body?: string;
  readonly body_encoding?: 'base64' | 'gen';
  readonly why: string;
  readonly expect: {
    readonly status: number;
    readonly problem: string | null;
    readonly side_effects: 'none' | 'one order' | 'one strategy' | 'one change';
    readonly max_cpu_ms: number;
    readonly pointer?: string;
    readonly resp_header?: string;
    readonly max_rss_growth_mb?: number;
  };
}

/** The values of the words in double braces. */
export type Words = Readonly<Record<string, string>>;

export function badRequests(...modes: readonly BadRequest['mode'][]): BadRequest[] {
  const lines = readFileSync(join(ROOT, 'test/fixtures/bad-requests.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as BadRequest).filter(({ mode }) => modes.includes(mode));
}

/** Sends a row, over HTTP or as bare bytes. */
export function sendRow(row: BadRequest, client: Client, words: Words): Promise<Reply> {
  if (row.transport === 'raw') return sendRaw(filled(row.raw, words), client.url);
  // Header values are bytes to Node: text in UTF-8 goes out as such.
  const latin = (value: string) => Buffer.from(value).toString('latin1');
  const rawHeaders = row.headers.map(([name, value]) => [name, latin(filled(value, words))] as const);
  const noType = { 'content-type': undefined };
  return client.send(row.method, filled(row.path, words), { rawHeaders, headers: noType, body: bodyOf(row, words) });
}

function bodyOf({ body, body_encoding }: BadRequest, words: Words): Buffer | undefined {
  if (body === undefined) return undefined;
  if (body_encoding === 'base64') return Buffer.from(body, 'base64');
  return Buffer.from(body_encoding === 'gen' ? generated(JSON.parse(body)) : filled(body, words));
}

interface Recipe {
  readonly prefix: string;
  readonly unit: string;
  readonly count: number;
  readonly mid?: string;
  readonly unit2?: string;
  readonly suffix: string;
}

function generated({ prefix, unit, count, mid = '', unit2 = '', suffix }: Recipe): string {
  return prefix + unit.repeat(count) + mid + unit2.repeat(count) + suffix;
}

const WITH = '{{STRATEGY_WITH:';

function filled(text: string, words: Words): string {
  const start = text.indexOf(WITH);
  if (start !== -1) return `${text.slice(0, start)}${strategyWith(text.slice(start + WITH.length), words)}`;
  return text.replace(/\{\{([A-Z0-9_]+)\}\}/g, (_, name: string) => {
    const word = words[name];
    if (word === undefined) throw new Error(`Nothing stands for ${name}`);
    return word;
  });
}

/** `member=json}}` to the end: the strategy, with that member written as it stands. */
function strategyWith(rest: string, words: Words): string {
  const [member = '', ...json] = rest.slice(0, rest.lastIndexOf('}}')).split('=');
  const { [member]: _, ...others } = JSON.parse(words['STRATEGY'] ?? '{}') as Record<string, unknown>;
  return `${JSON.stringify(others).slice(0, -1)},"${member}":${json.join('=')}}`;
}

async function sendRaw(text: string, url: string): Promise<Reply> {
  const wire = await Wire.to(url);
  const heard = await wire.send(Buffer.from(text, 'latin1')).hears(/\r\n\r\n\{[\s\S]*\}/);
  wire.hangUp();
  const [head = '', body = ''] = heard.split('\r\n\r\n');
  const [start = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [field.split(':')[0]?.toLowerCase(), field.replace(/^.*?: /, '')]),
  );
  const status = Number(start.split(' ')[1]);
  return { status, headers, text: body, json: () => JSON.parse(body) };
}
