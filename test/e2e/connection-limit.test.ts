import { expect, test } from 'vitest';
import { ORDER, ORDERS } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { listening, SERVER, startProgram } from '../support/processes.js';
import { message, Wire } from '../support/wire.js';

test('idle clients beyond the file descriptor limit do not lock out others', async () => {
  const env = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: freshSqliteFile().url };
  const script = 'ulimit -n 200 && exec "$0" "$1"';
  const server = await listening(startProgram('sh', { args: ['-c', script, process.execPath, SERVER], env }));
  const idle: Wire[] = [];
  for (let i = 0; i < 210; i += 1) {
    const wire = await Wire.to(server.url);
    idle.push(wire);
    await wire.send(message('GET /healthz')).hears(/HTTP\/1\.1 200 /);
  }
  const client = new Client(server.url);
  expect((await client.post(ORDERS, ORDER)).status).toBe(201);
  expect((await client.get('/readyz')).status).toBe(200);
  const counted = /^http_connections_closed_at_limit_total\{connection="idle"\} (\d+)$/m;
  expect(Number(counted.exec((await client.get('/metrics')).text)?.[1])).toBe(210 + 1 - 72);
  await server.says(/"level":40.*"most":72,.*the limit of connections is reached/);
  expect(server.output().match(/the limit of connections/g)).toHaveLength(1);
  for (const wire of idle) wire.hangUp();
});
