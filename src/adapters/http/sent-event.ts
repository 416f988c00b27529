import type { IncomingMessage } from 'node:http';

/** The media type of a stream of server-sent events. */
export const EVENT_STREAM = 'text/event-stream';

/** Keeps a connection open, and says nothing. */
export const COMMENT = ':\n\n';

/** One event as it is sent. A client comes back with the last `id`; one without moves nothing. */
export function sentEvent(type: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Moves the `id` with which a client comes back, and is no event. */
export const sentId = (id: number | string): string => `id: ${id}\n\n`;

/** How much is handed to a connection at once, as of other answers: a slow reader is then known to read. */
const PIECE_BYTES = 64 * 1024;

/** The texts one after another, in pieces of about 64 KiB. */
export function inTextPieces(texts: readonly string[]): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const text of texts) {
    if (piece.length + text.length > PIECE_BYTES && piece !== '') {
      pieces.push(piece);
      piece = '';
    }
    piece += text;
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
}

/** The header by which a client comes back; undefined where there is none: one that has no event yet may send an empty one. */
export function lastEventIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const given = headers['last-event-id'];
  return given === '' ? undefined : given?.toString();
}
