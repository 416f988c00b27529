import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** What a message is signed with: Standard Webhooks 1.0, `v1`, HMAC-SHA256. */
export function signature(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}
