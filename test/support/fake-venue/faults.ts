import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { REFUSALS, type Refused } from './refusals.js';

/** The answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One request subject to a fault. */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Waits for the last byte of the request. */
  body(): Promise<Buffer>;
  /** Handles the request normally, and returns the answer that would be sent. */
  process(): Promise<Answer>;
  send(answer: Answer): void;
}

/** Replaces the normal handling of a request. */
export type Fault = (call: Call) => Promise<void> | void;

/** Whether the venue acts on the request before its answer goes wrong; it does unless a fault says otherwise. */
export interface Acting {
  readonly acts?: boolean;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const BLOCK = ' '.repeat(65_536);

/** No fault: an undisturbed call in a row of faults. */
export const passes = (): Fault => async (call) => call.send(await call.process());

/** Handles the request and never answers. */
export const actsAndHangs = (): Fault => async (call) => void (await call.process());

/** Reads the request, drops it and never answers. */
export const forgets = (): Fault => async (call) => void (await call.body());

/** This status and body. Unlike the other faults it does not act on the request, unless `acts` is set. */
export function answers(status: number, body: unknown, headers = {}, { acts = false }: Acting = {}): Fault {
  return async (call) => {
    await (acts ? call.process() : call.body());
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    call.send({ status, headers: { ...JSON_TYPE, ...headers }, body: text });
  };
}

/** One of the venue's own refusals, such as `refuses(REFUSALS.duplicated(hash))`. */
export const refuses = ({ status, body, headers }: Refused, acting: Acting = {}): Fault =>
  answers(status, body, headers, acting);

/** 429; `retry-after` may be anything: seconds, a date, nonsense or nothing. */
export const throttles = (retryAfter?: string): Fault =>
  answers(429, { error: 'Too Many Requests' }, retryAfter === undefined ? {} : { 'retry-after': retryAfter });

/** The page of a CDN. */
export const showsPage = (status = 200, { acts = true }: Acting = {}): Fault =>
  answers(status, '<!DOCTYPE html><title>Just a moment...</title>', { 'content-type': 'text/html' }, { acts });

/** 200, and the JSON breaks off. */
export const breaksJson = ({ acts = true }: Acting = {}): Fault => answers(200, '{"success":tr', {}, { acts });

/** Redirects the caller. */
export const redirects = (status: 301 | 302 | 307 | 308, location: string, acting: Acting = {}): Fault =>
  answers(status, '', { location }, acting);

/** Handles the request and changes the JSON of its answer. */
export function edits(edit: (body: never) => unknown, status?: number): Fault {
  return async (call) => {
    const answer = await call.process();
    call.send({
      ...answer,
      status: status ?? answer.status,
      body: JSON.stringify(edit(JSON.parse(answer.body) as never)),
    });
  };
}

/** Takes an order and gives the id of another. */
export const misnames = (orderID: string): Fault => edits((body: object) => ({ ...body, orderID }));

/** Refuses with 200 and without a reason; the order is accepted only when `acts` is set. */
export const refusesSilently = (acting: Acting = {}): Fault =>
  answers(200, { success: false, errorMsg: '', orderID: '', status: '' }, {}, acting);

/** `success: true`, no id and a reason: a refusal. */
export const succeedsWithoutId = (errorMsg: string): Fault =>
  answers(200, { success: true, errorMsg, orderID: '', status: '' });

const FORMS = {
  numbers: Number,
  exponents: (text: string) => Number(text).toExponential(),
  digits: (text: string) => `${text}${text.includes('.') ? '' : '.'}000000000`,
} as const;

/** Texts that are numbers of at most 15 digits become JSON numbers, or get an exponent or more digits than make sense. */
export const renumbers = (form: keyof typeof FORMS): Fault =>
  edits((body) =>
    JSON.parse(JSON.stringify(body), (_name, value: unknown) =>
      typeof value === 'string' && /^\d{1,15}(\.\d+)?$/.test(value) ? FORMS[form](value) : value,
    ),
  );

/** JSON numbers become texts. */
export const stringifies = (): Fault =>
  edits((body) =>
    JSON.parse(JSON.stringify(body), (_name, value: unknown) => (typeof value === 'number' ? `${value}` : value)),
  );

/** Every member named `status` becomes another, such as an unknown one or one with `ORDER_STATUS_` before it. */
export const restates = (change: (status: string) => string): Fault =>
  edits((body) =>
    JSON.parse(JSON.stringify(body), (name, value: unknown) => (name === 'status' ? change(String(value)) : value)),
  );

/** A page that names itself, or another cursor, as the next one for ever. */
export const loops = (cursor = 'MA=='): Fault => edits((body: object) => ({ ...body, next_cursor: cursor }));

/** Resets the connection once this many bytes of the body have arrived; nothing is done. */
export function resetsAfter(bytes: number): Fault {
  return ({ request }) => {
    let seen = 0;
    request.on('data', (chunk: Buffer) => {
      seen += chunk.length;
      if (seen >= bytes) request.socket.resetAndDestroy();
    });
  };
}

/** Handles the request, sends the head and some bytes of the answer, and resets the connection. */
export function resetsInAnswer({ acts = true }: Acting = {}): Fault {
  return async ({ process, body, request, response }) => {
    await (acts ? process() : body());
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '4096' });
    response.write('{"success":', () => request.socket.resetAndDestroy());
  };
}

/** Closes the connection once the request is read; no answer. */
export function hangsUp({ acts = true }: Acting = {}): Fault {
  return async ({ process, body, request }) => {
    await (acts ? process() : body());
    request.socket.destroy();
  };
}

/** Handles the request and answers one byte at a time, by a timer that keeps no process alive. */
export function drips(everyMs = 1000): Fault {
  return async ({ process, response }) => {
    const answer = await process();
    response.writeHead(answer.status, { ...answer.headers, 'content-length': `${Buffer.byteLength(answer.body)}` });
    const rest = [...Buffer.from(answer.body)];
    const timer = setInterval(() => {
      const byte = rest.shift();
      if (byte === undefined || response.destroyed) clearInterval(timer);
      else response.write(Buffer.of(byte), () => (rest.length === 0 ? response.end() : undefined));
    }, everyMs).unref();
  };
}

/** Sends blanks until this many bytes are sent or the caller hangs up. */
export function floods(bytes: number, { acts = false }: Acting = {}): Fault {
  return async ({ process, body, response }) => {
    await (acts ? process() : body());
    response.writeHead(200, JSON_TYPE);
    await pour(Readable.from(blanks(bytes)), response);
  };
}

/** Blanks again, but gzipped to next to nothing. */
export function bombs(bytes: number, { acts = false }: Acting = {}): Fault {
  const packed = gzipSync(Buffer.alloc(bytes, ' '));
  return async ({ process, body, response }) => {
    await (acts ? process() : body());
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
    response.end(packed);
  };
}

/** The venue's answers of the order endpoints in its bad hours. */
export const HOURS = {
  restarting: REFUSALS.restarting,
  disabled: REFUSALS.disabled,
  'cancel-only': REFUSALS.cancelOnly,
  'post-only': REFUSALS.postOnlyMode,
} as const;

function* blanks(bytes: number): Generator<string> {
  for (let sent = 0; sent < bytes; sent += BLOCK.length) yield BLOCK.slice(0, Math.min(BLOCK.length, bytes - sent));
}

async function pour(source: Readable, response: ServerResponse): Promise<void> {
  response.on('close', () => source.destroy()).on('error', () => source.destroy());
  source.on('error', () => response.destroy()).pipe(response);
  await once(response, 'close');
}
