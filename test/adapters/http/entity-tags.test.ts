import { beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});

async function created(): Promise<string> {
  return `${STRATEGIES}/${(await app.client.post(STRATEGIES, STRATEGY)).json()['id']}`;
}

const typeOf = (reply: { json(): Record<string, unknown> }) => reply.json()['type'];

describe('an entity tag', () => {
  test('is strong, and the same on every route that shows the strategy', async () => {
    const posted = await app.client.post(STRATEGIES, STRATEGY);
    const path = posted.headers.location ?? '';
    expect(posted.headers.etag).toBe('"1"');
    const patched = await app.client.patch(path, { name: 'Other' });
    expect(patched.headers.etag).toBe('"2"');
    expect((await app.client.get(path)).headers.etag).toBe('"2"');
    expect((await app.client.post(`${path}/pause`)).headers.etag).toBe('"3"');
    expect((await app.client.delete(path)).headers.etag).toBe('"4"');
  });

  test('stays when a patch changes nothing', async () => {
    const path = await created();
    expect((await app.client.patch(path, { name: STRATEGY.name, bankroll_cap: '1000.0' })).headers.etag).toBe('"1"');
  });
});

describe('If-Match', () => {
  test.each(['"1"', '*', ' * ', '"7", "1"', '"1" , W/"2"'])('%s lets a change through', async (tag) => {
    const reply = await app.client.patch(await created(), { name: 'Other' }, { 'if-match': tag });
    expect([reply.status, reply.headers.etag]).toEqual([200, '"2"']);
  });

  test.each(['"2"', 'W/"1"', '1', '""', '', '"01"', '"*"', 'w/"1"'])(
    '%s stops it, and nothing has changed',
    async (tag) => {
      const path = await created();
      const patched = await app.client.patch(path, { name: 'Other' }, { 'if-match': tag });
      const deleted = await app.client.delete(path, { 'if-match': tag });
      expect([patched.status, typeOf(patched)]).toEqual([412, '/problems/precondition-failed']);
      expect([deleted.status, typeOf(deleted)]).toEqual([412, '/problems/precondition-failed']);
      expect((await app.client.get(path)).headers.etag).toBe('"1"');
    },
  );

  test.each(['*', '"1"', '"2"'])('%s on a missing strategy reveals only that', async (tag) => {
    const path = await created();
    const bob = app.client.as({ 'x-dev-user': 'bob' });
    const replies = [await bob.patch(path, {}, { 'if-match': tag }), await bob.delete(path, { 'if-match': tag })];
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
  });

  test('lets one of fifty concurrent changes through', async () => {
    const path = await created();
    const all = Array.from({ length: 50 }, (_, i) =>
      app.client.patch(path, { name: `Name ${i}` }, { 'if-match': '"1"' }),
    );
    const replies = await Promise.all(all);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 412)).toHaveLength(49);
    const [winner] = replies.filter(({ status }) => status === 200);
    expect((await app.client.get(path)).text).toBe(winner?.text);
  });
});
