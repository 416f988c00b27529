import type { Ledger } from '../../../../ports/ledger.js';
import { halted } from '../../../account/account.js';
import { shortId } from '../../../ids.js';
import type { Order } from '../../../order/order.js';
import { orderName } from '../../../order/order-words.js';
import type { OrderContext } from '../../../posting/trading-stop.js';

/**
 * Halts the live trading of an account when the venue and the record of one of its orders cannot both be true: its books may
 * be wrong. The same contradiction halts it only once, so that an operator who has examined it can release the account.
 */
export class HaltOnContradiction {
  readonly #recorded = new Set<string>();

  constructor(
    private readonly ledger: Ledger,
    private readonly context: Pick<OrderContext, 'clock'>,
  ) {}

  /** @throws StorageUnavailable */
  async execute({ id, account, intent }: Order, message: string): Promise<void> {
    const contradiction = `${id} ${message}`;
    if (this.#recorded.has(contradiction)) return;
    const reason = {
      code: 'contradiction',
      message: `The venue contradicts the record of ${orderName(intent)} (order ${shortId(id)}): ${message}.`,
    };
    await this.ledger.write({ account }, (now) => ({
      result: undefined,
      accounts: [halted(now.account, reason, this.context.clock.now())],
    }));
    this.#recorded.add(contradiction);
  }
}
