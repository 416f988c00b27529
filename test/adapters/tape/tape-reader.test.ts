import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readTape, readTapeHeader } from '../../../src/adapters/tape/tape-reader.js';
import { type Played, playedParts } from '../../../src/adapters/tape/tape-span.js';
import { TapeUnreadable } from '../../../src/adapters/tape/tape-unreadable.js';
import { mendTape } from '../../../src/adapters/tape/tape-writer.js';
import { textLines } from '../../../src/adapters/tape/text-lines.js';
import {
  alive,
  all,
  book,
  described,
  fileOf,
  freshPath,
  HEADER,
  line,
  packed,
  pastNoon,
  RAIN,
  START,
  tape,
  textOf,
  trade,
} from './tapes.js';

const LINES = [line(0, described(RAIN)), line(0, book('0.5', '0.6')), line(7, trade('3')), alive(10)];

describe('Reading a tape', () => {
  it('gives every line, from text and from gzip, under any file name', async () => {
    expect(await all(readTape(tape(...LINES)))).toEqual(LINES);
    expect(await all(readTape(fileOf(packed(...LINES), '.jsonl.gz')))).toEqual(LINES);
    expect(await all(readTape(fileOf(packed(...LINES), '.tape')))).toEqual(LINES);
    expect(await all(readTape(fileOf(textOf(...LINES), '.gz')))).toEqual(LINES);
  });

  it('reads a gzip file of several parts as one', async () => {
    const parts = [packed(...LINES), gzipSync('{"t":1772366400010,"alive":true}\n')];
    expect(await all(readTape(fileOf(Buffer.concat(parts))))).toEqual([...LINES, alive(10)]);
  });

  it('ends where a text was cut, after the last whole line', async () => {
    const text = textOf(...LINES);
    for (let length = HEADER.length; length <= text.length; length += 1) {
      const cut = text.slice(0, length);
      // What lacks nothing but its line end is whole.
      const whole = LINES.filter((_, last) => `${cut}\n`.startsWith(textOf(...LINES.slice(0, last + 1))));
      expect(await all(readTape(fileOf(cut)))).toEqual(whole);
    }
  });

  it('ends at a gzip cut, and fails only without its first line', async () => {
    const whole = packed(...LINES);
    const counts: number[] = [];
    for (let length = 0; length <= whole.length; length += 1) {
      const read = await all(readTape(fileOf(whole.subarray(0, length), '.gz'))).catch(
        (error: TapeUnreadable) => error,
      );
      if (read instanceof Error) expect(read).toMatchObject({ name: 'TapeUnreadable', line: 1 });
      else {
        expect(read).toEqual(LINES.slice(0, read.length));
        counts.push(read.length);
      }
    }
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBe(LINES.length);
  });

  it.each([
    ['a line that is not JSON', `${HEADER}\nrain\n`, 2, /not JSON/],
    ['an unknown member', `${HEADER}\n{"t":1,"alive":true}\n{"t":1,"alive":true,"why":0}\n`, 3, /why/],
    ['time that falls', `${HEADER}\n{"t":5,"alive":true}\n{"t":4,"alive":true}\n`, 3, /earlier than the line before/],
    ['a market that was not described', `${HEADER}\n{"t":5,"m":"a","tick":"0.1"}\n`, 2, /not described before/],
    [
      'a mid on a tape of version 1',
      `${textOf(line(0, described(RAIN)))}{"t":${START},"m":"0xrain","mid":"0.5"}\n`,
      3,
      /version 1/,
    ],
    ['a blank line', `${HEADER}\n\n{"t":5,"alive":true}\n`, 2, /not JSON/],
    ['an empty file', '', 1, /empty/],
    ['a first line that was cut', HEADER.slice(0, 30), 1, /within its first line/],
    ['another file', 'price,shares\n', 1, /not JSON/],
  ])('refuses %s, with its line', async (_what, content, number, reason) => {
    const failure = await all(readTape(fileOf(content))).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TapeUnreadable);
    expect(failure).toMatchObject({ line: number, message: expect.stringMatching(reason) });
  });

  it('refuses a gzip file that is damaged before its end', async () => {
    const damaged = packed(...LINES);
    damaged.fill(0xff, 40, 60);
    await expect(all(readTape(fileOf(damaged)))).rejects.toThrow(/damaged/);
  });

  it('refuses a line that is too long, whether it ends or not', async () => {
    await expect(all(textLines(fileOf(`ab\n${'c'.repeat(11)}\nd\n`), 10))).rejects.toMatchObject({ line: 2 });
    await expect(all(textLines(fileOf('c'.repeat(11)), 10))).rejects.toMatchObject({ line: 1 });
    expect(await all(textLines(fileOf(`${'c'.repeat(10)}\n`), 10))).toHaveLength(1);
  });

  it('keeps letters whole that lie across two reads', async () => {
    const market = { ...RAIN, question: '€'.repeat(100_000) };
    const [read] = await all(readTape(tape(line(0, described(market)))));
    expect(read).toEqual(line(0, described(market)));
  });

  it('quotes file content briefly and without terminal control characters', async () => {
    const name = `\u009b31m\u001b[2J${'x'.repeat(5000)}`;
    const failure = await all(
      readTape(fileOf(`${HEADER}\n${JSON.stringify({ t: 1, alive: true, [name]: 0 })}\n`)),
    ).catch((error: TapeUnreadable) => error);
    expect(failure).toMatchObject({
      line: 2,
      message: expect.stringMatching(/^line 2 of the tape: "\\u009b31m\\u001b/),
    });
    expect(failure).toMatchObject({ message: expect.not.stringMatching(/\p{Cc}/u) });
    expect((failure as Error).message.length).toBeLessThan(400);
  });

  it('refuses a pipe and a folder at once', async () => {
    const pipe = freshPath();
    execFileSync('mkfifo', [pipe]);
    for (const path of [pipe, dirname(pipe)]) {
      await expect(readTapeHeader(path)).rejects.toThrow(`the tape is not a regular file: ${JSON.stringify(path)}`);
      await expect(mendTape(path)).rejects.toBeInstanceOf(TapeUnreadable);
    }
  });

  it('fails as the file system does where there is no file', async () => {
    await expect(readTapeHeader('/no/such/tape')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('A hole', () => {
  it('begins 30 seconds after the last line before it', async () => {
    const path = tape(line(0, described(RAIN)), alive(30_000), alive(60_001));
    const played: Played[] = [];
    for await (const part of playedParts([path])) played.push(...part);
    expect(played.map(({ type, at }) => [type, at])).toEqual([
      ['change', pastNoon(0)],
      ['alive', pastNoon(30_000)],
      ['hole', pastNoon(60_000)],
      ['alive', pastNoon(60_001)],
    ]);
  });
});
