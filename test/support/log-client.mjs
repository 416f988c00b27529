// A client of the event log in a process of its own, to be killed at any moment: it keeps nothing but its file.
// node log-client.mjs read|write URL ACCOUNT FILE
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const [role, url, account, file] = process.argv.slice(2);
const headers = { 'x-dev-user': account, 'content-type': 'application/json' };
const ORDER = { market_id: 'will-it-rain', token: 'YES', price: '0.5', size_usdc: '1' };

/** The last event that is whole in the file; a line that was cut by the kill is removed. */
function lastSeen() {
  if (!existsSync(file)) return 0;
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) truncateSync(file, Buffer.byteLength(whole));
  return Number(whole.trimEnd().split('\n').at(-1)?.split(' ')[0] ?? 0);
}

async function read(last) {
  const reply = await fetch(`${url}/v1/events?after=${last}&limit=7`, { headers });
  if (reply.status !== 200) return last;
  const { data, next_after } = await reply.json();
  for (const { seq, id, type } of data) appendFileSync(file, `${seq} ${id} ${type}\n`);
  return Number(next_after);
}

const write = () => fetch(`${url}/v1/exchange/orders`, { method: 'POST', headers, body: JSON.stringify(ORDER) });

console.log('running');
for (let last = role === 'read' ? lastSeen() : 0; ; ) {
  try {
    if (role === 'read') last = await read(last);
    else await (await write()).text();
  } catch {
    // The server is being killed and comes back.
    await delay(20);
  }
}
