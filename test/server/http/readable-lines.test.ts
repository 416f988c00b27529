import { beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/server/http/log.js';
import { ReadableLines } from '../../../src/server/http/readable-lines.js';

describe('A log for people', () => {
  const lines: string[] = [];
  const logger = createLogger('info', new ReadableLines({ write: (line) => void lines.push(line) }));

  beforeEach(() => {
    lines.length = 0;
  });

  test('says time, level and sentence with its figures', () => {
    logger.info({ signal: 'SIGINT', settings: { PORT: '8080' } }, 'stopping');
    logger.error({ err: new Error('no room'), order: '7' }, 'could not record it');
    expect(lines).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\dZ info {2}stopping \(signal SIGINT\)\n$/),
      expect.stringMatching(/^\d\d:\d\d:\d\dZ error could not record it: no room \(order 7\)\n$/),
    ]);
  });

  test('leaves out requests and orders, unless they failed', () => {
    logger.info({ route: '/healthz' }, 'answered');
    logger.info({ order: '7' }, 'order');
    logger.error({ route: '/v1/bets' }, 'answered');
    expect(lines).toEqual([expect.stringContaining('error answered (route /v1/bets)')]);
  });

  test('says where a fault of the program is', () => {
    logger.fatal({ err: new TypeError('x is not a function') }, 'this must not happen');
    expect(lines.join('')).toMatch(/must not happen: x is not a function\n {2}at .*readable-lines\.test/);
  });

  test('lets nothing move the cursor', () => {
    logger.warn({ reason: 'a\u001b[2Jb\nc' }, 'said');
    expect(lines).toEqual([expect.stringMatching(/warn {2}said \(reason a \[2Jb c\)\n$/)]);
  });
});
