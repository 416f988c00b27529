import { expect, it } from 'vitest';
import { connectionLimit, LimitLog } from '../../../src/server/http/connection-limit.js';
import { createLogger } from '../../../src/server/http/log.js';

it.each([
  [64, 16],
  [200, 72],
  [256, 128],
  [1024, 896],
  [4224, 4096],
  [1_048_576, 4096],
  [Number.POSITIVE_INFINITY, 4096],
])('of %d file descriptors, connections get %d', (descriptors, connections) => {
  expect(connectionLimit(descriptors)).toBe(connections);
});

it('the limit of this process is one that it can keep', () => {
  expect(connectionLimit()).toBeGreaterThan(0);
  expect(connectionLimit()).toBeLessThanOrEqual(4096);
});

it('each connection closed at the limit counts; logging is once a minute', () => {
  const [counted, lines]: [string[], string[]] = [[], []];
  const metrics = { closedAtLimit: (connection: string) => void counted.push(connection) };
  const logger = createLogger('warn', { write: (text) => void lines.push(text) });
  let now = 0;
  const log = new LimitLog(72, metrics, logger, () => now);
  const at = (ms: number, connection: 'idle' | 'new') => {
    now = ms;
    log.closedAtLimit(connection);
  };
  at(0, 'idle');
  at(1, 'idle');
  at(59_999, 'new');
  at(60_000, 'idle');
  at(60_001, 'idle');
  expect(counted).toEqual(['idle', 'idle', 'new', 'idle', 'idle']);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { most: 72, closedIdle: 1, refused: 0 },
    { most: 72, closedIdle: 2, refused: 1 },
  ]);
});
