import { existsSync, readFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openStretches } from '../../../src/adapters/tape/packing.js';
import { cutTape, TapeRefused } from '../../../src/adapters/tape/tape-cut.js';
import { readTape } from '../../../src/adapters/tape/tape-reader.js';
import { all, book, described, fileOf, freshPath, line, RAIN, tape, textOf } from './tapes.js';

/** Absent in Node 20. */
const { zstdCompressSync: pack } = zlib as { zstdCompressSync?: (text: string) => Buffer };

const LINES = [line(0, described(RAIN)), ...Array.from({ length: 3000 }, (_, n) => line(n, book('0.4', '0.6')))];
const TEXT = textOf(...LINES);
/** As zstd begins, and nothing that could be unpacked. */
const BEGINNING = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]);

if (pack === undefined)
  describe('zstd, on this version of Node', () => {
    it('is refused in one line that says what to do', async () => {
      const words = /^the tape cannot be read: zstd needs Node 22\.15 or later: use that, or gzip in its place \(.*\)$/;
      await expect(all(readTape(fileOf(BEGINNING, '.jsonl.zst')))).rejects.toThrow(words);
    });

    it('is not written, and nothing is left', async () => {
      const out = freshPath('.jsonl.zst');
      await expect(cutTape(tape(...LINES), out)).rejects.toThrow(TapeRefused);
      expect([existsSync(out), existsSync(`${out}.part`)]).toEqual([false, false]);
    });
  });
else
  describe('A tape by zstd', () => {
    const third = Math.floor(TEXT.length / 3);
    const frames = [TEXT.slice(0, third), TEXT.slice(third, third + 5), TEXT.slice(third + 5)].map((one) => pack(one));
    const [first = BEGINNING, ...others] = frames;
    const skipped = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 7, 7, 7]);

    it('is read frame by frame to its end', async () => {
      const path = fileOf(Buffer.concat([first, skipped, ...others, skipped]), '.jsonl.zst');
      expect((await all(readTape(path))).length).toBe(LINES.length);
    });

    it('is read where each frame is a line', async () => {
      const small = TEXT.split('\n')
        .slice(0, 500)
        .map((text) => pack(`${text}\n`));
      expect((await all(readTape(fileOf(Buffer.concat(small))))).length).toBe(499);
    });

    it('ends where its last frame was cut', async () => {
      const whole = Buffer.concat(frames);
      const read = (await all(readTape(fileOf(whole.subarray(0, whole.length - 40), '.zst')))).length;
      expect(read).toBeGreaterThan(LINES.length / 4);
      expect(read).toBeLessThan(LINES.length);
    });

    it('is refused at the byte where something else follows', async () => {
      for (const rubbish of ['{"t":1}\n', 'x']) {
        const path = fileOf(Buffer.concat([first, Buffer.from(rubbish)]), '.jsonl.zst');
        await expect(all(readTape(path))).rejects.toThrow(`damaged at byte ${first.length} or further on`);
      }
    });

    it('is refused where a frame is damaged', async () => {
      const path = fileOf(Buffer.concat([first, BEGINNING, Buffer.alloc(100)]), '.jsonl.zst');
      await expect(all(readTape(path))).rejects.toThrow(`damaged at byte ${first.length} or further on`);
    });

    it('is written by a cut, and read again', async () => {
      const out = freshPath('.jsonl.zst');
      await cutTape(tape(...LINES), out);
      expect(readFileSync(out).subarray(0, 4)).toEqual(BEGINNING.subarray(0, 4));
      expect((await all(readTape(out))).length).toBe(LINES.length + 1);
    });
  });

it.each(['none', 'gzip'])('stretches of a file are read in order, packed as %s', async (packing) => {
  const text = TEXT.repeat(3);
  const stretches = await openStretches(fileOf(packing === 'gzip' ? zlib.gzipSync(text) : text));
  for (const [at, bytes] of [
    [10, 20],
    [30, 1],
    [70_000, 140_000],
    [text.length - 4, 4],
  ] as const)
    expect(await stretches.read(at, bytes)).toBe(text.slice(at, at + bytes));
  await expect(stretches.read(text.length, 1)).rejects.toThrow('has become shorter while it was read');
  await stretches.close();
});
