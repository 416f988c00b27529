import type { KeyMaker, KeyStore } from '../../../ports/key-store.js';
import type { Ledger } from '../../../ports/ledger.js';
import type { Clock } from '../../../ports/system.js';
import type { ApiKey } from '../../access/api-key.js';
import { AUTH_SCOPES, type AuthScope } from '../../access/principal.js';
import { changeUnlessRemoved } from '../../endpoint/change-endpoint.js';
import { disabledByRevocation, type ShownEndpoint, shownEndpoint } from '../../endpoint/endpoint.js';
import { KeyNotFound } from '../../errors.js';
import type { AccountId } from '../../ids.js';
import { earlierResult } from '../../ledger/decision.js';
import { type Page, type Slice, slice } from '../../ledger/query.js';
import { keyed, requestRecords } from '../../ledger/request.js';

/** The key to make, its account, and the operator who makes it. */
export interface CreateKeyCommand {
  /** The operator who makes it; the idempotency key is theirs. */
  readonly by: AccountId;
  /** The account of the key. */
  readonly account: AccountId;
  readonly scopes: readonly AuthScope[];
  /** Null is for ever. */
  readonly lifetimeMs: number | null;
  readonly idempotencyKey: string | null;
}

/** A key, and its text, which is known only once. */
export interface CreatedKey {
  readonly key: ApiKey;
  readonly text: string | null;
}

/** Makes, lists and revokes API keys, for all accounts: for operators only. */
export class ManageKeys {
  constructor(
    private readonly ledger: Ledger,
    private readonly keys: KeyStore,
    private readonly keyMaker: KeyMaker,
    private readonly clock: Clock,
  ) {}

  /** A repeated request gets the key without its text, which is not kept. @throws IdempotencyKeyReused */
  async create(command: CreateKeyCommand): Promise<CreatedKey> {
    const { by, account, lifetimeMs, idempotencyKey } = command;
    const scopes = AUTH_SCOPES.filter((scope) => command.scopes.includes(scope));
    const request = keyed(by, 'keys.create', idempotencyKey, { account, scopes, lifetimeMs });
    const secret = this.keyMaker.issue();
    const scope = { account: by, logs: [account], ...(request === null ? {} : { request: request.key }) };
    const made = await this.ledger.write<ApiKey | string>(scope, (now) => {
      const at = this.clock.now();
      const earlier = earlierResult(now, request, at);
      if (earlier !== undefined) return { result: earlier };
      const expiresAt = lifetimeMs === null ? null : new Date(at.getTime() + lifetimeMs);
      const { id, digest } = secret;
      const key = { id, account, scopes, digest, createdAt: at, expiresAt, revokedAt: null };
      return { result: key, keys: [key], requests: requestRecords(request, id, false, at) };
    });
    if (typeof made !== 'string') return { key: made, text: secret.text };
    return { key: found(await this.keys.findKey(made)), text: null };
  }

  /** Newest first. */
  list(page: Page<string>): Promise<Slice<ApiKey, string>> {
    return slice(
      page,
      (asked) => this.keys.listKeys(asked),
      (key) => key.id,
    );
  }

  /** One key, revoked or not. @throws KeyNotFound */
  async one(id: string): Promise<ApiKey> {
    return found(await this.keys.findKey(id));
  }

  /**
   * From the next request on, the key is refused here, and within a second by every server. Its webhooks are disabled unless
   * they are to be kept. @throws KeyNotFound
   */
  revoke(id: string, webhooks: RevokeKeyCommand['webhooks'] = 'disable'): Promise<RevokedKey> {
    return revokeKey(this.ledger, this.keys, { id, webhooks, at: this.clock.now() });
  }
}

function found(key: ApiKey | undefined): ApiKey {
  if (key === undefined) throw new KeyNotFound();
  return key;
}

/** Which key is revoked, and what becomes of its webhooks. */
export interface RevokeKeyCommand {
  readonly id: string;
  /** `disable` what it made or led elsewhere, or `keep` it as it is. */
  readonly webhooks: 'disable' | 'keep';
  readonly at: Date;
}

/** A key that is revoked, and the webhooks that it made or led elsewhere, oldest first, as they are now. */
export interface RevokedKey {
  readonly key: ApiKey;
  readonly webhooks: readonly ShownEndpoint[];
}

/**
 * Revokes a key first, so that it makes no more webhooks, and then disables those that it made, verified or not: a thief of the
 * key is sent nothing more, and no later ping activates their webhooks. Repeated, it does what was left undone. @throws KeyNotFound
 */
export async function revokeKey(
  ledger: Pick<Ledger, 'write' | 'endpoints'>,
  keys: Pick<KeyStore, 'revokeKey'>,
  { id, webhooks, at }: RevokeKeyCommand,
): Promise<RevokedKey> {
  const key = await keys.revokeKey(id, at);
  if (key === undefined) throw new KeyNotFound();
  const { account } = key;
  const own = async () => (await ledger.endpoints.list(account)).filter(({ by }) => by === id);
  if (webhooks === 'disable')
    for (const made of await own())
      await changeUnlessRemoved(ledger, made, (one) =>
        one.state !== 'disabled' && one.by === id ? disabledByRevocation(one, at) : one,
      );
  return { key, webhooks: (await own()).map(shownEndpoint) };
}
