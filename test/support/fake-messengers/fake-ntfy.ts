import { type Received, type Scripted, StandIn } from './stand-in.js';

export const NTFY_TOKEN = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2';
export const TOPIC = 'bets-f3c1a7';

/** An error as an ntfy server tells it. */
export const ntfyError = (status: number, code: number, error: string): Scripted => ({
  status,
  body: JSON.stringify({ code, http: status, error }),
});

/** Stands for an ntfy server with one topic, which takes messages of one token. */
export class FakeNtfy extends StandIn {
  readonly published: Readonly<Record<string, unknown>>[] = [];

  static async start(): Promise<FakeNtfy> {
    return new FakeNtfy().listen();
  }

  private constructor() {
    super();
  }

  protected answer({ authorization, body }: Received): Scripted {
    if (authorization !== undefined && authorization !== `Bearer ${NTFY_TOKEN}`)
      return ntfyError(401, 40101, 'unauthorized');
    if (authorization === undefined) return ntfyError(403, 40301, 'forbidden');
    if (body['topic'] !== TOPIC) return ntfyError(400, 40009, 'invalid request: topic invalid');
    if (Buffer.byteLength(String(body['message'])) > 4096)
      return ntfyError(413, 41301, 'attachment too large, or bandwidth limit reached');
    this.published.push(body);
    return { status: 200, body: JSON.stringify({ id: 'x', event: 'message', ...body }) };
  }
}
