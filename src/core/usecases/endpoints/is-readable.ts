import type { SecretBox } from '../../../ports/webhook-sender.js';
import type { Endpoint } from '../../endpoint/endpoint.js';
import { SecretUnreadable } from '../../endpoint/webhook-errors.js';

/** Whether the key of this box is the one that the secret or token of an endpoint was sealed with; true where it has none. */
export function isReadable(box: Pick<SecretBox, 'open'>, { secrets }: Pick<Endpoint, 'secrets'>): boolean {
  if (secrets.current === '') return true;
  try {
    box.open(secrets.current);
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadable) return false;
    throw error;
  }
}
