import { constants, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The seed of the first test of RFC 8032: its signatures are known. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
/** What precedes a seed of Ed25519 in PKCS 8. */
const PKCS8 = '302e020100300506032b657004220420';

/** A key of the venue as its owner has it, and as the venue does. */
export interface TestKey {
  readonly id: string;
  readonly pem: string;
  readonly publicKey: KeyObject;
}

const keyOf = (id: string, privateKey: KeyObject): TestKey => ({
  id,
  pem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  publicKey: createPublicKey(privateKey),
});

/** The public test key of RFC 8032. */
export const ED25519_KEY = keyOf(
  '00000000-0000-4000-8000-00000000ed25',
  createPrivateKey({ key: Buffer.from(PKCS8 + SEED, 'hex'), format: 'der', type: 'pkcs8' }),
);

/** A key of RSA, new in each process. */
export const anRsaKey = (bits = 2048): TestKey =>
  keyOf('00000000-0000-4000-8000-0000000005a0', generateKeyPairSync('rsa', { modulusLength: bits }).privateKey);

/** The file of a key, with this mode. */
export function keyFileOf({ pem }: Pick<TestKey, 'pem'>, mode = 0o400): string {
  const path = join(mkdtempSync(join(tmpdir(), 'kalshi-key-')), 'key.pem');
  writeFileSync(path, pem, { mode });
  return path;
}

/** Whether this is the key's signature of the text, as the venue verifies it. */
export function isSignedBy({ publicKey }: TestKey, text: string, signature: string): boolean {
  const [signed, given] = [Buffer.from(text), Buffer.from(signature, 'base64')];
  if (publicKey.asymmetricKeyType === 'ed25519') return verify(null, signed, publicKey, given);
  const pss = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  return verify('sha256', signed, pss, given);
}
