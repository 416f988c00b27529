import { createHmac, createPublicKey, KeyObject, sign as signBytes } from 'node:crypto';
import { claims, type SigningKey } from '../adapters/auth/issuer.js';

const encoded = (part: object | string) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

function signed(key: SigningKey, header: object, payload: object | string): string {
  const text = `${encoded({ alg: 'RS256', typ: 'at+jwt', kid: key.kid, ...header })}.${encoded(payload)}`;
  const signature = signBytes('sha256', Buffer.from(text), KeyObject.from(key.privateKey));
  return `${text}.${signature.toString('base64url')}`;
}

/** A token that is good, and one for each way of making one that only looks so. `theirs` is not the issuer's key. */
export function tokens(ours: SigningKey, theirs: SigningKey, attackerUrl: string): Record<string, string> {
  const good = signed(ours, {}, claims());
  const { exp, ...noExp } = claims();
  const { sub: _, ...noSub } = claims();
  return {
    GOOD: good,
    JWT_ALG_NONE: `${encoded({ alg: 'none', typ: 'at+jwt', kid: ours.kid })}.${encoded(claims())}.`,
    JWT_HS256_WITH_RSA_PUB: confused(ours),
    JWT_NO_EXP: signed(ours, {}, noExp),
    JWT_JKU: signed(theirs, { jku: attackerUrl }, claims()),
    JWT_EMBEDDED_JWK: signed(theirs, { kid: ours.kid, jwk: theirs.jwk }, claims()),
    JWT_KID_PATH: signed(theirs, { kid: '../../dev/null' }, claims()),
    JWT_KID_UNKNOWN: signed(theirs, {}, claims()),
    JWT_CRIT: signed(ours, { crit: ['unheard-of'], 'unheard-of': true }, claims()),
    JWT_BAD_SIG: good.replace(/.(?=.{9}$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
    JWT_NO_SUB: signed(ours, {}, noSub),
    JWT_EXP_STRING: signed(ours, {}, { ...claims(), exp: String(exp) }),
    JWT_EXP_HUGE: signed(ours, {}, { ...claims(), exp: 1e308 }),
    JWT_PAYLOAD_ARRAY: signed(ours, {}, [claims()]),
  };
}

/** Signed with the public key as if it were a shared secret. */
function confused({ kid, privateKey }: SigningKey): string {
  const secret = createPublicKey(KeyObject.from(privateKey)).export({ format: 'pem', type: 'spki' });
  const text = `${encoded({ alg: 'HS256', typ: 'at+jwt', kid })}.${encoded(claims())}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
