import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { CheckedSigner } from '../../../../../src/adapters/polymarket/signing/signers/checked-signer.js';
import { EnvironmentSigner, KeyFileSigner } from '../../../../../src/adapters/polymarket/signing/signers/index.js';
import { ROOT } from '../../../../support/build.js';
import { startProgram } from '../../../../support/processes.js';
import { KNOWN_ADDRESS, KNOWN_KEY, knownKey } from '../vectors.js';
import { someOrder, someTerms } from './terms.js';

const NAME = 'POLYMARKET_PRIVATE_KEY';
const POLYGON = { chainId: 137, negRisk: false };
const folder = mkdtempSync(join(tmpdir(), 'stakeport-secrecy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = Buffer.from(KNOWN_KEY, 'hex');
/** The key in all the ways in which it could be written; a part of it is enough to find it. */
const WRITTEN = [
  KNOWN_KEY.slice(0, 24),
  KNOWN_KEY.slice(-24),
  bytes.toString('base64').slice(0, 24),
  bytes.toString('base64url').slice(0, 24),
  BigInt(`0x${KNOWN_KEY}`).toString().slice(0, 24),
  [...bytes].slice(0, 8).join(','),
  [...bytes].slice(0, 8).join(', '),
  [...bytes]
    .slice(0, 8)
    .map((byte) => byte.toString(16))
    .join(' '),
];

const showsKey = (text: string): boolean => WRITTEN.some((form) => text.toLowerCase().includes(form.toLowerCase()));

/** Everything that a log, an answer or a crash report would make of a value. */
function allOf(thing: unknown): string {
  const shown = inspect(thing, {
    showHidden: true,
    depth: Number.POSITIVE_INFINITY,
    getters: true,
    maxArrayLength: null,
  });
  const own = thing instanceof Object ? Reflect.ownKeys(thing).map((key) => String(Reflect.get(thing, key))) : [];
  return [shown, JSON.stringify(thing), String(thing), thing instanceof Error ? thing.stack : '', ...own].join('\n');
}

describe('the search for a key', () => {
  test.each<[string, unknown]>([
    ['its text', { note: `key ${KNOWN_KEY}` }],
    ['its bytes', { bytes: knownKey() }],
    ['its number', { number: `${BigInt(`0x${KNOWN_KEY}`)}` }],
    ['a buffer', { bytes: bytes }],
  ])('finds %s', (_, thing) => {
    expect(showsKey(allOf(thing))).toBe(true);
  });
});

describe('the key of a signer', () => {
  const signer = new CheckedSigner(knownKey(), someTerms());

  test('does not appear in its visible properties', async () => {
    await signer.signOrder(someOrder(), POLYGON);
    expect(showsKey(allOf(signer))).toBe(false);
    expect(showsKey(allOf(structuredClone({ ...signer })))).toBe(false);
  });

  test('is not in any refusal', async () => {
    const wrong = { ...someTerms(), address: `0x${'11'.repeat(20)}` as const };
    const path = join(folder, 'malformed');
    writeFileSync(path, `${KNOWN_KEY}zz`);
    chmodSync(path, 0o400);
    const refusals = await Promise.all(
      [
        () => signer.signOrder(someOrder({ makerAmount: 99_999_999_999n, takerAmount: 999_999_999_999n }), POLYGON),
        () => signer.signOrder(someOrder({ metadata: '0x' }), POLYGON),
        () => signer.signLogin({ chainId: 1, timestamp: 1, nonce: 0 }),
        async () => new CheckedSigner(knownKey(), wrong),
        async () => EnvironmentSigner.take({ [NAME]: `${KNOWN_KEY}zz` }, NAME, someTerms()),
        () => KeyFileSigner.open(path, someTerms()),
      ].map((attempt) =>
        attempt().then(
          () => 'it was not refused',
          (error: unknown) => error,
        ),
      ),
    );
    expect(refusals.filter((refusal) => !(refusal instanceof Error))).toEqual([]);
    expect(refusals.map(allOf).filter(showsKey)).toEqual([]);
  });

  test('signs nothing once it differs from the original key', async () => {
    const key = knownKey();
    const spoiled = new CheckedSigner(key, someTerms());
    key[31] = 1;
    await expect(spoiled.signOrder(someOrder(), POLYGON)).rejects.toMatchObject({ guard: 'signature' });
    await expect(spoiled.signLogin({ chainId: 137, timestamp: 1, nonce: 0 })).rejects.toMatchObject({
      guard: 'signature',
    });
  });
});

describe('a key from the environment', () => {
  test('is taken out of it', async () => {
    const environment = { [NAME]: `0x${KNOWN_KEY}`, OTHER: 'stays' };
    expect(await EnvironmentSigner.take(environment, NAME, someTerms()).address()).toBe(KNOWN_ADDRESS);
    expect(environment).toEqual({ OTHER: 'stays' });
  });

  test.each(['', KNOWN_KEY.slice(1), `${KNOWN_KEY}00`, 'é'.repeat(64)])(
    'is taken out even when it is none: %#',
    (value) => {
      const environment = { [NAME]: value };
      expect(() => EnvironmentSigner.take(environment, NAME, someTerms())).toThrow(/must hold 64 hexadecimal digits/);
      expect(environment).toEqual({});
    },
  );

  test('is missed when it is not there', () => {
    expect(() => EnvironmentSigner.take({}, NAME, someTerms())).toThrow(/POLYMARKET_PRIVATE_KEY must hold/);
  });
});

describe('a process that holds a key', () => {
  const program = join(ROOT, 'test/adapters/polymarket/signing/signers/programs/hold-key.ts');

  async function holding(from: 'file' | 'environment', name: string, env: Record<string, string>) {
    const snapshot = join(folder, `${from}.heapsnapshot`);
    const run = startProgram(process.execPath, {
      args: ['--import', 'tsx', program, from, name, snapshot],
      cwd: ROOT,
      env,
    });
    await run.says(/the key is held, the environment lacks it/);
    const output = run.output();
    await run.kill('SIGKILL');
    return { heap: readFileSync(snapshot, 'utf8'), output };
  }

  test('from a file has no text of it in its heap', async () => {
    const path = join(folder, 'key');
    writeFileSync(path, `0x${KNOWN_KEY}\n`);
    chmodSync(path, 0o400);
    const { heap, output } = await holding('file', path, {});
    expect(heap).toContain('CheckedSigner');
    expect(showsKey(heap)).toBe(false);
    expect(showsKey(output)).toBe(false);
  });

  test('from the environment keeps no text of it in heap or process.env', async () => {
    const { heap, output } = await holding('environment', NAME, { [NAME]: `0x${KNOWN_KEY}` });
    expect(showsKey(heap)).toBe(false);
    expect(showsKey(output)).toBe(false);
  });
});
