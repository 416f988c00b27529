import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppContext } from './app-context.js';

/** How much of a body is handed over at once. */
const PIECE_BYTES = 64 * 1024;

/**
 * Sends a body larger than a piece one piece after another, each when the one before has left: the client's progress is then
 * known to within a piece, so a slow reader of a large body is recognised as reading.
 */
export function sendInPieces(ctx: AppContext): void {
  const { body } = ctx;
  if (!(Buffer.isBuffer(body) || typeof body === 'string') || body.length <= PIECE_BYTES || ctx.method === 'HEAD')
    return;
  ctx.respond = false;
  sendFrom(ctx.res, Buffer.isBuffer(body) ? body : Buffer.from(body), 0);
}

/** Sends a text whose headers are written, in the same pieces. */
export function sendText({ method }: IncomingMessage, res: ServerResponse, text: string): void {
  if (method === 'HEAD') res.end();
  else if (text.length <= PIECE_BYTES) res.end(text);
  else sendFrom(res, Buffer.from(text), 0);
}

function sendFrom(res: ServerResponse, body: Buffer, start: number): void {
  const end = start + PIECE_BYTES;
  const piece = body.subarray(start, end);
  if (end >= body.length) {
    res.end(piece);
    return;
  }
  res.write(piece, (error) => {
    if (error === null || error === undefined) sendFrom(res, body, end);
  });
}
