import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock } from '../../../../ports/system.js';
import { type Approval, approvalAt } from '../../../strategy/record/approval.js';

/** How many expire in one round. */
const AT_ONCE = 100;

/** Puts on record that bets which nobody decided on have expired: the log of events tells it then. */
export class ExpireApprovals {
  constructor(
    private readonly ledger: Pick<Ledger, 'approvals' | 'write'>,
    private readonly clock: Clock,
  ) {}

  /** Returns how many did. @throws StorageUnavailable */
  async execute(): Promise<number> {
    const overdue = await this.ledger.approvals.listOverdue(this.clock.now(), AT_ONCE);
    for (const approval of overdue) await this.#expire(approval);
    return overdue.length;
  }

  async #expire({ account, id, decision }: Approval): Promise<void> {
    const at = this.clock.now();
    await this.ledger.write({ account, approvals: decision }, (now) => {
      const waiting = now.approvals().filter((one) => one.id === id && one.state === 'waiting');
      const approvals = waiting.map((one) => approvalAt(one, at)).filter(({ state }) => state === 'expired');
      return { result: null, approvals };
    });
  }
}
