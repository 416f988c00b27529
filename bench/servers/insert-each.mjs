// The obvious first version: one insert for each request through a Knex pool of 10. No checks, no events, no balance.
import { createServer } from 'node:http';
import knexModule from 'knex';
import { answerTo } from './order.mjs';

const db = knexModule.knex({ client: 'pg', connection: process.env.DATABASE_URL, pool: { min: 10, max: 10 } });
await db.schema.dropTableIfExists('plain_orders');
await db.schema.createTable('plain_orders', (table) => {
  table.text('id').primary();
  for (const name of [
    'market_id',
    'token',
    'side',
    'price',
    'size_usdc',
    'status',
    'clob_order_id',
    'filled_size_usdc',
  ])
    table.text(name).notNullable();
  for (const name of ['market_slug', 'condition_id', 'question_snapshot', 'return_usdc', 'error', 'settled_at'])
    table.text(name);
  table.boolean('paper').notNullable();
  table.text('placed_at').notNullable();
});

createServer((req, res) => {
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', async () => {
    const order = answerTo(req.method === 'POST' ? JSON.parse(Buffer.concat(chunks)) : {});
    if (req.method === 'POST') await db('plain_orders').insert(order);
    const body = JSON.stringify(order);
    res.writeHead(req.method === 'POST' ? 201 : 200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    res.end(body);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
