import { ORDER, ORDERS } from '../support/app.js';
import type { Client, Reply } from '../support/http.js';

export const idOf = (reply: Reply): string => reply.json<{ id: string }>().id;

/** What became of a POST: its answer, or that the connection broke before there was one. */
export type Fate = Reply | 'no answer';

/** Places an order of 1 USDC under a key. */
export const placeOnce = (client: Client, key: string): Promise<Reply> =>
  client.post(ORDERS, { ...ORDER, size_usdc: 1 }, { 'idempotency-key': key });

export const tryPlacing = (client: Client, key: string): Promise<Fate> =>
  placeOnce(client, key).catch(() => 'no answer' as const);

/** Repeats as the answers ask for: after `Retry-After` when the first is still running, until there is an order. */
export async function placeUntilAnswered(client: Client, key: string): Promise<Reply> {
  for (;;) {
    const reply = await placeOnce(client, key);
    if (reply.status !== 409) return reply;
    const seconds = Number(reply.headers['retry-after']);
    if (!(seconds > 0)) throw new Error(`409 without Retry-After: ${reply.text}`);
    await new Promise((resume) => setTimeout(resume, seconds * 1000));
  }
}

/** The ids of all orders, newest first, through every page. */
export async function allOrders(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const reply = await client.get(`${ORDERS}?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
    const page: { data: { id: string }[]; next_cursor: string | null } = reply.json();
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}

/** Asks until the answer is as wanted; the test's own time limit ends a wait in vain. */
export async function until(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask().catch(() => false))) await new Promise((resume) => setTimeout(resume, 5));
}
