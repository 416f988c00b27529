import type { KeyStore } from '../../../ports/key-store.js';
import type { Ledger } from '../../../ports/ledger.js';
import type { ApiKey } from '../../access/api-key.js';
import { changeUnlessRemoved } from '../../endpoint/change-endpoint.js';
import type { ShownEndpoint } from '../../endpoint/endpoint.js';
import { disabledByRevocation, shownEndpoint } from '../../endpoint/endpoint.js';
import { KeyNotFound } from '../../errors.js';

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
 * Revokes a key first, so that it makes no more webhooks, and then disables those that it made, verified or not: whoever stole it
 * is sent nothing more, and no later ping activates what he made. Repeated, it does what was left undone. @throws KeyNotFound
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
