import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { answerTo } from '../../../src/cli/api/terminal.js';

/** What a question gets for these keys. */
async function typed(keys: string): Promise<string | undefined> {
  const [keyboard, screen] = [new PassThrough(), new PassThrough()];
  const answer = answerTo('The key? ', keyboard, screen);
  keyboard.write(keys);
  return answer;
}

describe('a question at a terminal', () => {
  it.each([
    ['sp_1\r', 'sp_1'],
    ['\r', ''],
    ['sp_1\u0003', undefined],
    ['\u0004', undefined],
  ])('answered with %j gives %j: who leaves it has not said nothing', async (keys, answer) => {
    expect(await typed(keys)).toBe(answer);
  });
});
