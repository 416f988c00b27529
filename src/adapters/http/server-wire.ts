import * as v from 'valibot';
import { LEASE_NAMES } from '../../core/ledger/lease.js';
import type { WorkingServer } from '../../core/usecases/servers/read-servers.js';
import { means } from './schema.js';

/** A server at work on the store, as the API shows it. */
export const serverOut = v.object({
  id: means(v.string(), 'One start of one server: its machine, its process, and chance.', 'web-1:4711:fdfb1fcc'),
  version: means(v.string(), 'The version of stakeport that it runs.', '0.1.0'),
  runs_strategies: means(v.boolean(), 'Whether it may decide for strategies: `AUTOMATION=on`.'),
  holds: means(
    v.array(v.picklist(LEASE_NAMES)),
    'What it alone does now: `paper` matches paper orders and decides for strategies, `delivery` sends webhooks.',
  ),
  is_answering: means(v.boolean(), 'Whether it is the one that answers this request.'),
});

/** A server as the API shows it. */
export function presentServer({
  owner,
  version,
  automates,
  holds,
  isSelf,
}: WorkingServer): v.InferInput<typeof serverOut> {
  return { id: owner, version, runs_strategies: automates, holds: [...holds], is_answering: isSelf };
}
