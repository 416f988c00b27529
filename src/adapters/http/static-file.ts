import { createHash } from 'node:crypto';
import type { AppContext } from './app-context.js';

/** A file that is kept in memory: every answer shares its bytes. */
export interface StaticFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** An entity tag, RFC 9110 section 8.8.3. */
  readonly tag: string;
}

/** A file of these bytes, tagged by their hash. */
export const staticFile = (type: string, bytes: Buffer): StaticFile => ({
  type,
  bytes,
  tag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
});

/** Answers with the file, or with 304 to a client that sends its tag. */
export function sendStatic(ctx: AppContext, { type, bytes, tag }: StaticFile, policy: string): void {
  ctx.set('content-security-policy', policy);
  ctx.set('etag', tag);
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  ctx.body = bytes;
}

/** Files by name, each read when it is first asked for; one that could not be read is read again. */
export class StaticFiles {
  readonly #held = new Map<string, Promise<StaticFile>>();

  get(name: string, read: () => Promise<StaticFile>): Promise<StaticFile> {
    const held = this.#held.get(name);
    if (held !== undefined) return held;
    const reading = read().catch((error) => {
      this.#held.delete(name);
      throw error;
    });
    this.#held.set(name, reading);
    return reading;
  }
}
