import { once } from 'node:events';
import { type ClientRequest, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FollowersAsked, FollowersTold } from '../followers.js';

let open: ClientRequest[] = [];
/** What takes the webhooks off again. */
let hooked: (() => Promise<unknown>)[] = [];
const ORDER = JSON.stringify({ market_id: 'bench-market', token: 'YES', price: 0.52, size_usdc: 1 });

/** Opens a stream, and resolves once it has caught up. */
function follow(
  url: string,
  account: string,
  heard: (block: string) => void = () => {},
  path = '/v1/events/stream?after=head',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-dev-user': account };
    const sent = request(url + path, { headers, agent: false }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a stream answered ${answer.statusCode}`));
      let rest = '';
      let hasBegun = false;
      answer.setEncoding('utf8').on('data', (text: string) => {
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() ?? '';
        hasBegun ||= blocks.some((block) => block.startsWith('event: caught_up'));
        if (hasBegun) resolve();
        for (const block of blocks) heard(block);
      });
      answer.on('error', () => {});
    });
    sent.on('error', reject).end();
    open.push(sent);
  });
}

function place(url: string, account: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-dev-user': account, 'content-type': 'application/json' };
    const sent = request(`${url}/v1/exchange/orders`, { method: 'POST', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve(JSON.parse(text).id));
    });
    sent.on('error', reject).end(ORDER);
  });
}

/** How many orders make a log that no connection holds, and how long it takes until none takes any more. */
const [HEAVY, FULL_MS] = [3000, 8000];
let heavy: Promise<unknown> | null = null;

/** Gives an account a log of many megabytes. */
async function fill(url: string, account: string): Promise<void> {
  for (let n = 0; n < HEAVY; n += 50) await Promise.all(Array.from({ length: 50 }, () => place(url, account)));
}

/** Asks for the whole log, and reads nothing of it. */
function stall(url: string, account: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-dev-user': account };
    const sent = request(`${url}/v1/events/stream?after=0`, { headers, agent: false }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a stream answered ${answer.statusCode}`));
      answer.on('error', () => {});
      resolve();
    });
    sent.on('error', reject).end();
    open.push(sent);
  });
}

const receiver = createServer((message, response) => {
  message.resume().on('end', () => response.writeHead(204).end());
});

/** Makes an active webhook of this account. */
async function hook(url: string, account: string): Promise<void> {
  if (!receiver.listening) await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port } = receiver.address() as AddressInfo;
  const ask = (method: string, path: string, body: object | null) =>
    fetch(`${url}/v1/webhooks${path}`, {
      method,
      headers: { 'x-dev-user': account, ...(body !== null && { 'content-type': 'application/json' }) },
      body: body === null ? null : JSON.stringify(body),
    });
  const { id } = (await (await ask('POST', '', { url: `http://127.0.0.1:${port}/` })).json()) as { id: string };
  const pinged = (await (await ask('POST', `/${id}/ping`, null)).json()) as { taken: boolean };
  if (!pinged.taken) throw new Error('a webhook is not active');
  hooked.push(() => ask('DELETE', `/${id}`, null));
}

/** From the answer of an order, which is given once it is durable, to the last of its events; 0 where that came first. */
async function waits({
  at,
  followedAt,
  count,
  everyMs,
}: Extract<FollowersAsked, { kind: 'waits' }>): Promise<number[]> {
  const heard = new Map<string, number>();
  await follow(followedAt, 'probe', (block) => {
    const data = block.split('\ndata: ')[1];
    if (block.includes('\nevent: order.fill\n') && data) heard.set(JSON.parse(data).data.order.id, performance.now());
  });
  const answered = new Map<string, number>();
  for (let n = 0; n < count; n += 1) {
    answered.set(await place(at, 'probe'), performance.now());
    await delay(everyMs);
  }
  while (heard.size < count) await delay(10);
  return [...answered].map(([id, ms]) => Math.max(0, (heard.get(id) ?? Number.NaN) - ms));
}

async function answer(asked: FollowersAsked): Promise<FollowersTold> {
  if (asked.kind === 'close') {
    for (const one of open) one.destroy();
    for (const off of hooked) await off();
    [open, hooked] = [[], []];
    return { waits: [] };
  }
  if (asked.kind === 'waits') return { waits: await waits(asked) };
  const { url, accounts } = asked;
  if (asked.kind === 'hook') for (let n = 0; n < asked.webhooks; n += 1) await hook(url, `${accounts}-${n}`);
  else if (asked.stalled === true) {
    heavy ??= fill(url, accounts);
    await heavy;
    for (let n = 0; n < asked.streams; n += 1) await stall(url, accounts);
    await delay(FULL_MS);
  } else for (let n = 0; n < asked.streams; n += 1) await follow(url, `${accounts}-${n % 64}`, () => {}, asked.path);
  return { waits: [] };
}

process.on('message', (asked: FollowersAsked) => {
  answer(asked).then(
    (told) => process.send?.(told),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
