import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { KeyFileSigner } from '../../../../../src/adapters/polymarket/signing/signers/index.js';
import { SigningRefused } from '../../../../../src/adapters/polymarket/signing/signing-refused.js';
import { KNOWN_ADDRESS, KNOWN_KEY } from '../vectors.js';
import { someTerms } from './terms.js';

const folder = mkdtempSync(join(tmpdir(), 'stakeport-key-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function keyFile(content: string | Buffer, mode = 0o400): string {
  const path = join(folder, `key-${files++}`);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const opening = (path: string) => KeyFileSigner.open(path, someTerms());

describe('a key file', () => {
  test.each([
    ['bare digits', KNOWN_KEY],
    ['digits after 0x', `0x${KNOWN_KEY}`],
    ['capital digits', KNOWN_KEY.toUpperCase()],
    ['the end of a line', `0x${KNOWN_KEY}\n`],
    ['the end of a line of Windows', `${KNOWN_KEY}\r\n`],
  ])('may hold %s', async (_, content) => {
    const signer = await opening(keyFile(content));
    expect(await signer.address()).toBe(KNOWN_ADDRESS);
  });

  test.each([
    ['nothing', ''],
    ['too few digits', KNOWN_KEY.slice(1)],
    ['too many digits', `${KNOWN_KEY}0`],
    ['a letter that is not a digit', `${KNOWN_KEY.slice(0, 63)}g`],
    ['a sign just outside the digits', `${KNOWN_KEY.slice(0, 63)}:`],
    ['a second line', `${KNOWN_KEY}\n\n`],
    ['a blank before it', ` ${KNOWN_KEY}`],
    ['0x twice', `0x0x${KNOWN_KEY}`],
    ['much more than a key', KNOWN_KEY.repeat(1000)],
    ['bytes that are not text', Buffer.from(KNOWN_KEY, 'hex')],
  ])('may not hold %s', async (_, content) => {
    await expect(opening(keyFile(content))).rejects.toThrow(/must hold 64 hexadecimal digits and nothing else/);
  });

  test.each(['0600', '0640', '0440', '0404', '0500', '0700', '0644', '0000', '4400'])(
    'is refused with mode %s',
    async (mode) => {
      const path = keyFile(KNOWN_KEY, Number(`0o${mode}`));
      const refusal = await opening(path).catch((error) => error);
      expect(refusal).toBeInstanceOf(SigningRefused);
      // A process that may not read a file at all learns no mode.
      expect(refusal.message).toMatch(mode === '0000' ? /chmod 0400|EACCES/ : `chmod 0400 ${path}`);
    },
  );

  test('is refused behind a symbolic link', async () => {
    const link = join(folder, 'link');
    symlinkSync(keyFile(KNOWN_KEY), link);
    await expect(opening(link)).rejects.toThrow(/is a symbolic link; name the file itself/);
  });

  test('is refused when it belongs to another user', async () => {
    const path = process.getuid?.() === 0 ? keyFile(KNOWN_KEY) : '/etc/passwd';
    if (path !== '/etc/passwd') chownSync(path, 65_534, 65_534);
    await expect(opening(path)).rejects.toThrow(/belongs to another user: chown it/);
  });

  test('is refused when it is absent, in words', async () => {
    await expect(opening(join(folder, 'absent'))).rejects.toThrow('absent cannot be read: there is no such file.');
  });

  test('is refused when it is a folder', async () => {
    const path = join(folder, 'folder');
    mkdirSync(path);
    await expect(opening(path)).rejects.toThrow(/is not a plain file/);
  });

  test('is refused when it is a pipe, without waiting for a writer', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', ['-m', '0400', path]);
    await expect(opening(path)).rejects.toThrow(/is not a plain file/);
  });
});
