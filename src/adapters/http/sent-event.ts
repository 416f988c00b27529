/** The media type of a stream of server-sent events. */
export const EVENT_STREAM = 'text/event-stream';

/** Keeps a connection open, and says nothing. */
export const COMMENT = ':\n\n';

/** One event as it is sent. A client comes back with the last `id`; one without moves nothing. */
export function sentEvent(type: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Moves the `id` with which a client comes back, and is no event. */
export const sentId = (id: number): string => `id: ${id}\n\n`;
