/** An answer was larger than may be read. */
export class AnswerTooLarge extends Error {}

/**
 * A `fetch` that reads at most `maxBytes` of a body, counted after content decoding, and aborts beyond that. The answer is
 * complete when it resolves, so that the caller's signal bounds all of it: connecting, headers and body.
 */
export function boundedFetch(maxBytes: number): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const answer = await fetch(url, init);
    const body = await bytesOf(answer, maxBytes);
    const { status, headers } = answer;
    return new Response(status === 200 ? body : null, { status, headers });
  };
}

/** @throws AnswerTooLarge, and what ended the body early */
async function bytesOf({ body }: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AnswerTooLarge(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
