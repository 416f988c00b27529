import type { SecretBox } from '../../../ports/secret-box.js';
import type { Endpoint } from '../../endpoint/endpoint.js';
import { SecretUnreadable } from '../../webhook-errors.js';

/** Whether the key of this box is the one that the secret of an endpoint was sealed with. */
export function isReadable(box: Pick<SecretBox, 'open'>, { secrets }: Pick<Endpoint, 'secrets'>): boolean {
  try {
    box.open(secrets.current);
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadable) return false;
    throw error;
  }
}
