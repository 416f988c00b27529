// A client of the event log in a process of its own, to be killed at any moment: it keeps nothing but its file.
// node log-client.mjs read|follow|write URL ACCOUNT FILE [MARKET,…]
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createParser } from 'eventsource-parser';

const [role, url, account, file, markets = 'will-it-rain'] = process.argv.slice(2);
const ORDERS = '/v1/exchange/orders';
/** Not `fetch`: it takes as long to load as all the rest. */
const agent = new Agent({ keepAlive: true });

function ask(method, path, body) {
  const headers = { 'x-dev-user': account, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('error', reject);
      reply.on('data', (part) => (text += part)).on('end', () => resolve({ status: reply.statusCode, text }));
    });
    sent.on('error', reject).end(body && JSON.stringify(body));
  });
}

const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));
const oneOf = (choices) => choices[Math.floor(Math.random() * choices.length)];

/** The last event that is whole in the file; a line that was cut by the kill is removed. */
function lastSeen() {
  if (!existsSync(file)) return 0;
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) truncateSync(file, Buffer.byteLength(whole));
  return Number(whole.trimEnd().split('\n').at(-1)?.split(' ')[0] ?? 0);
}

async function read(last) {
  const { status, text } = await ask('GET', `/v1/events?after=${last}&limit=${oneOf([7, 20, 100])}`);
  if (status !== 200) return last;
  const { data, next_after } = JSON.parse(text);
  for (const { seq, id, type } of data) appendFileSync(file, `${seq} ${id} ${type}\n`);
  return Number(next_after);
}

/** Until the stream ends, from what the file has. */
function follow() {
  const headers = { 'x-dev-user': account, 'last-event-id': `${lastSeen()}` };
  return new Promise((resolve) => {
    const sent = request(`${url}/v1/events/stream`, { headers, agent: false }, (reply) => {
      const onEvent = ({ id, data }) => {
        if (id === undefined) return;
        const event = JSON.parse(data);
        appendFileSync(file, `${id} ${event.id} ${event.type}\n`);
      };
      const parser = createParser({ onEvent });
      reply.setEncoding('utf8').on('data', (part) => reply.statusCode === 200 && parser.feed(part));
      reply.on('error', () => {}).on('close', resolve);
    });
    sent.on('error', resolve).end();
  });
}

/** Purchases and sales that meet the book, where there is one, and purchases that rest in it: half of these are cancelled. */
async function write() {
  const terms = oneOf([
    { side: 'BUY', price: '0.51', size_usdc: '5.1' },
    { side: 'BUY', price: '0.51', size_usdc: '5.1' },
    { side: 'SELL', price: '0.49', size_usdc: '2.94' },
    { side: 'BUY', price: '0.4', size_usdc: '4' },
  ]);
  const order = { market_id: oneOf(markets.split(',')), token: oneOf(['YES', 'NO']), ...terms };
  const { id, status } = JSON.parse((await ask('POST', ORDERS, order)).text);
  if (status === 'open' && oneOf([true, false])) await ask('POST', `${ORDERS}/${id}/cancel`, {});
}

console.log('running');
for (let last = role === 'read' ? lastSeen() : 0; ; await pause(role === 'write' ? 80 : 40)) {
  try {
    if (role === 'read') last = await read(last);
    else if (role === 'follow') await follow();
    else await write();
  } catch {
    // The server is being killed and comes back.
  }
}
