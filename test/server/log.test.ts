import { expect, test } from 'vitest';
import { createLogger } from '../../src/server/log.js';

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

test('of an error, a log line shows its type, message and stack, and nothing that was put on it', () => {
  const line = logged({ err: Object.assign(new TypeError('what went wrong'), { config: { password: 'canary' } }) });
  expect(JSON.parse(line).err).toMatchObject({ type: 'TypeError', message: 'what went wrong' });
  expect(line).not.toContain('canary');
});
