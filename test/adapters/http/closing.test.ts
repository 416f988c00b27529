import Koa from 'koa';
import { expect, it } from 'vitest';
import type { State } from '../../../src/adapters/http/app-context.js';
import { serve } from '../../../src/adapters/http/serve.js';
import { Client } from '../../support/http.js';

const GRACE_MS = 1000;

it('a closing server waits for unfinished work for one grace period', async () => {
  const app = new Koa<State>();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  app.use(() => {
    begin();
    return new Promise(() => {});
  });
  const http = await serve(app, '127.0.0.1', 0);
  const cut = new Client(http.url).get('/').catch(() => 'cut');
  await begun;
  const since = performance.now();
  await http.close(GRACE_MS);
  expect(performance.now() - since).toBeLessThan(1.8 * GRACE_MS);
  expect(await cut).toBe('cut');
});
