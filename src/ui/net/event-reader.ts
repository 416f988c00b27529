import { createParser } from 'eventsource-parser';
import { credentialHeaders, refusalIn, reportUnauthenticated } from './api.js';

/** What a stream says. */
export interface StreamListener {
  /** Something came: the connection lives. */
  heard(): void;
  said(type: string, data: string, id: string | undefined): void;
}

/**
 * Reads the event stream until it ends. Unlike `EventSource` it can carry a key, and an answer such as 503 does not end it
 * for good: whoever calls it tries again.
 * @throws ApiRefusal, TypeError where the service is gone
 */
export async function readEvents(lastId: string | null, signal: AbortSignal, listener: StreamListener): Promise<void> {
  const response = await fetch('/v1/events/stream?after=head&readings=1', {
    headers: { ...credentialHeaders(), ...(lastId === null ? {} : { 'last-event-id': lastId }) },
    signal,
  });
  if (response.status === 401) reportUnauthenticated();
  if (!response.ok || response.body === null) throw await refusalIn(response);
  listener.heard();
  const parser = createParser({ onEvent: ({ event, data, id }) => listener.said(event ?? 'message', data, id) });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    listener.heard();
    parser.feed(value);
  }
}
