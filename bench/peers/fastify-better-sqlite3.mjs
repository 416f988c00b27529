// The usual first version on SQLite: Fastify checks the body by its schema, and each request is one insert, durable before the
// answer (WAL, synchronous=FULL). No balance, no events, no idempotency, no log.
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { answerTo } from '../servers/order.mjs';

const MEMBERS = Object.keys(answerTo({ market_id: '', token: '', price: 0, size_usdc: 0 }));
const db = new Database(process.env.DATABASE_FILE);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(`create table if not exists orders (id text not null primary key, ${MEMBERS.slice(1).join(', ')})`);
db.exec('create index if not exists orders_by_moment on orders (placed_at, id)');
const insert = db.prepare(`insert into orders values (${MEMBERS.map((name) => `@${name}`).join(', ')})`);

const text = { type: 'string', minLength: 1, maxLength: 128 };
const above0 = { type: 'number', exclusiveMinimum: 0 };
const nullable = { type: ['string', 'null'] };
const schema = {
  body: {
    type: 'object',
    additionalProperties: false,
    required: ['market_id', 'token', 'price', 'size_usdc'],
    properties: { market_id: text, token: { enum: ['YES', 'NO'] }, price: above0, size_usdc: above0 },
  },
  response: {
    201: {
      type: 'object',
      properties: { ...Object.fromEntries(MEMBERS.map((name) => [name, nullable])), paper: { type: 'boolean' } },
    },
  },
};

const app = Fastify({ logger: false });
app.get('/healthz', async () => 'ok');
app.post('/v1/exchange/orders', { schema }, async (request, reply) => {
  const order = answerTo(request.body);
  insert.run({ ...order, paper: 1 });
  reply.code(201);
  return order;
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
