import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock } from '../../../../ports/system.js';
import { type Approval, approvalAt } from '../../../strategy/record/approval.js';

/** How many expire in one round; the others in the next. */
const AT_ONCE = 100;

/** Records the expiry of bets on which nobody decided, so that the log of events has it. */
export class ExpireApprovals {
  constructor(
    private readonly ledger: Pick<Ledger, 'approvals' | 'write'>,
    private readonly clock: Clock,
  ) {}

  /** Returns when the next one expires, as far as that is on record: null while none waits. @throws StorageUnavailable */
  async execute(): Promise<Date | null> {
    const waiting = await this.ledger.approvals.listWaiting(AT_ONCE + 1);
    const overdue = waiting.filter(({ expiresAt }) => expiresAt <= this.clock.now()).slice(0, AT_ONCE);
    for (const approval of overdue) await this.#expire(approval);
    return waiting[overdue.length]?.expiresAt ?? null;
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
