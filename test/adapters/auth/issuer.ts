import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { JwtAuthenticator } from '../../../src/adapters/auth/index.js';
import type { Authentication } from '../../../src/ports/authenticator.js';

export const ISSUER = 'https://issuer.example.org/';
export const AUDIENCE = 'https://stakeport.example.org';

/** A key pair of an issuer, or of someone who would like to be one. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function signingKey(alg: string, kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
}

/** Seconds since 1970, now. */
export const seconds = (): number => Math.floor(Date.now() / 1000);

/** Claims that are good for five minutes from now. */
export function claims(change: Record<string, unknown> = {}): JWTPayload {
  const [iat, exp] = [seconds(), seconds() + 300];
  return { iss: ISSUER, aud: AUDIENCE, sub: 'alice', scope: 'orders:read orders:paper', iat, exp, ...change };
}

/** A token with a valid signature over the given claims and header. */
export function sign(
  key: SigningKey,
  payload: JWTPayload = claims(),
  header: Record<string, unknown> = {},
): Promise<string> {
  const { kid, alg, privateKey } = key;
  return new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header }).sign(privateKey);
}

/** A web server that counts its requests, and gives the configured answers. */
export class CountingServer {
  readonly #server: Server;
  requests = 0;
  answer: (response: ServerResponse) => void = (response) => response.writeHead(404).end();

  private constructor() {
    this.#server = createServer((_request, response) => {
      this.requests += 1;
      this.answer(response);
    });
  }

  static async start(): Promise<CountingServer> {
    const started = new CountingServer();
    started.#server.listen(0, '127.0.0.1');
    await once(started.#server, 'listening');
    return started;
  }

  get url(): URL {
    const { port } = this.#server.address() as AddressInfo;
    return new URL(`http://127.0.0.1:${port}/jwks.json`);
  }

  serve(...keys: SigningKey[]): void {
    const body = JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
    this.answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }

  fail(): void {
    this.answer = (response) => response.writeHead(500).end();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** An authenticator that trusts one issuer, asked with a bearer token. */
export function trusting(jwksUrl: URL): (token: string) => Promise<Authentication> {
  const trusted = { issuer: ISSUER, audience: AUDIENCE, jwksUrl };
  const authenticator = new JwtAuthenticator(trusted, { now: () => new Date() });
  return (token) => authenticator.authenticate({ authorization: `Bearer ${token}`, devUser: undefined });
}
