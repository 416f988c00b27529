import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogLines } from '../../../src/server/http/log.js';

const MOST_WAITING = 8_388_608;
const LINE = `${'a'.repeat(1023)}\n`;

let folder = '';
let [reading, writing] = [0, 0];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stakeport-log-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  writing = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
});

afterEach(() => {
  if (reading !== 0) closeSync(reading);
  closeSync(writing);
  rmSync(folder, { recursive: true });
});

/** What the pipe holds now. */
function held(): string {
  const bytes = Buffer.alloc(65_536);
  try {
    return bytes.toString('utf8', 0, readSync(reading, bytes, 0, bytes.length, null));
  } catch {
    return '';
  }
}

async function readAll(until: RegExp): Promise<string> {
  let text = '';
  while (!until.test(text.slice(-200))) {
    text += held();
    await new Promise(setImmediate);
  }
  return text;
}

describe('Lines without a reader', () => {
  it('wait up to a limit; further ones are lost and counted', async () => {
    const lines = new LogLines(writing);
    const many = 12_000;
    for (let n = 0; n < many; n += 1) lines.write(LINE);
    const text = await readAll(/lost/);
    const logged = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
    const kept = text.split(LINE).length - 1;
    expect(text.length).toBeLessThan(MOST_WAITING + 200);
    expect(logged).toEqual({ level: 40, time: expect.any(String), lost: many - kept, msg: expect.any(String) });
    expect(kept).toBeGreaterThan(8000);
  });

  it('stay complete and in order through a final flush', async () => {
    const lines = new LogLines(writing);
    const all = Array.from({ length: 20_000 }, (_, n) => `line ${n}\n`);
    for (const line of all) lines.write(line);
    lines.flushSync();
    expect(await readAll(/line 19999\n$/)).toBe(all.join(''));
  });

  it('are not kept for a reader that is gone', async () => {
    const lines = new LogLines(writing);
    closeSync(reading);
    reading = 0;
    const flushed = () => new Promise<string>((done) => lines.flush(() => done('flushed')));
    lines.write(LINE);
    expect(await flushed()).toBe('flushed');
    lines.write(LINE);
    expect(await flushed()).toBe('flushed');
  });
});
