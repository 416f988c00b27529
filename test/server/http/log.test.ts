import { describe, expect, test } from 'vitest';
import { Metrics, Problem } from '../../../src/adapters/http/index.js';
import { ExchangeUnavailable, PaperElsewhere, StorageUnavailable } from '../../../src/core/errors.js';
import { createLogger, LoggingObserver } from '../../../src/server/http/log.js';

function logged(line: object): string {
  const lines: string[] = [];
  createLogger('info', { write: (text) => void lines.push(text) }).info(line, 'said');
  expect(lines).toHaveLength(1);
  return lines.join('');
}

test.each(['authorization', 'key', 'pepper', 'secret', 'password'])('a log line never shows its %s', (name) => {
  const line = logged({ [name]: 'canary', route: '/v1/strategies' });
  expect(line).not.toContain('canary');
  expect(line).toContain('/v1/strategies');
});

test("a log line shows an error's type, message and stack only", () => {
  const line = logged({ err: Object.assign(new TypeError('what went wrong'), { config: { password: 'canary' } }) });
  expect(JSON.parse(line).err).toMatchObject({ type: 'TypeError', message: 'what went wrong' });
  expect(line).not.toContain('canary');
});

describe('Of a request that was not answered', () => {
  const lines: { level: number; err?: object }[] = [];
  const logger = createLogger('info', { write: (text) => void lines.push(JSON.parse(text)) });
  const observer = new LoggingObserver(logger, new Metrics());
  const [INFO, WARN, ERROR] = [30, 40, 50];

  test.each([
    ['a service that is about to be ready', new Problem('unavailable', 'Not ready: catching up.')],
    ['paper orders that another server takes', new PaperElsewhere()],
    ['a venue that takes no orders now', new ExchangeUnavailable(5000)],
  ])('%s raises no alert, and is logged in one line', (_, error) => {
    lines.length = 0;
    observer.failed('r', error);
    expect(lines).toMatchObject([{ level: WARN, reason: error.message }]);
    expect(lines[0]).not.toHaveProperty('err');
  });

  test('the line of the answer is an error only for a bug', () => {
    lines.length = 0;
    const answer = { requestId: 'r', method: 'GET', route: '/readyz', durationMs: 1, account: null };
    for (const status of [200, 422, 503, 500]) observer.answered({ ...answer, status });
    expect(lines.map(({ level }) => level)).toEqual([INFO, INFO, WARN, ERROR]);
  });

  test('the line of an answer is not assembled below its log level', () => {
    let reads = 0;
    const order = {
      get id() {
        reads += 1;
        return 'an order';
      },
      status: 'filled',
      code: null,
      venueOrderId: null,
    };
    const answer = { requestId: 'r', method: 'POST', route: '/v1/orders', durationMs: 1, account: null, order };
    for (const level of ['warn', 'info'] as const)
      new LoggingObserver(createLogger(level, { write() {} }), new Metrics()).answered({ ...answer, status: 201 });
    expect(reads).toBe(1);
  });

  test.each([
    ['a store that does not answer', new StorageUnavailable()],
    ['credentials that cannot be checked', new Problem('unavailable', 'x', { cause: new Error('why') })],
    ['a mistake', new TypeError('x')],
  ])('%s is an error, with its cause', (_, error) => {
    lines.length = 0;
    observer.failed('r', error);
    const { message } = error.cause instanceof Error ? error.cause : error;
    expect(lines).toMatchObject([{ level: ERROR }]);
    expect(JSON.stringify(lines[0]?.err)).toContain(message);
  });
});
