import type { Ledger } from '../../../../ports/ledger.js';
import { cashOf } from '../../../account/account.js';
import type { Position } from '../../../account/position.js';
import { DomainError } from '../../../errors.js';
import { type Page, type RedeemableCursor, slices } from '../../../ledger/query.js';
import { marketName } from '../../../market/market.js';
import { redeem } from '../../../posting/settling.js';
import type { OrderContext } from '../../../posting/trading-stop.js';
import type { Venues } from '../../../venues/venues.js';

/** This many checks in a row have to agree: a balance may be reported as zero by mistake, and the cash would be spent. */
const AGREEING_LOOKS = 3;

/** Books what results with real money paid as cash, once the shares were redeemed where they are kept. */
export class RedeemPositions {
  readonly #agreed = new Map<string, number>();

  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Pick<Venues, 'find' | 'redemptionAt'>,
    private readonly context: Pick<OrderContext, 'clock' | 'ids'>,
    private readonly agreeingLooks = AGREEING_LOOKS,
  ) {}

  /**
   * Returns how many positions were redeemed; those that the venue does not report wait for the next time. @throws
   * StorageUnavailable
   */
  async execute(): Promise<number> {
    const asked = new Map<string, Promise<boolean>>();
    let redeemed = 0;
    const read = (page: Page<RedeemableCursor>) => this.ledger.listRedeemable(page);
    for await (const positions of slices(read, (position): RedeemableCursor => position)) {
      for (const position of positions) {
        const name = `${position.outcome} ${marketName(position)}`;
        const answer = asked.get(name) ?? this.#isAgreed(name, position);
        asked.set(name, answer);
        if ((await answer) && (await this.#book(position))) redeemed += 1;
      }
    }
    for (const name of this.#agreed.keys()) if (!asked.has(name)) this.#agreed.delete(name);
    return redeemed;
  }

  /** True once enough checks in a row agree; a new process starts the count again. */
  async #isAgreed(name: string, position: Position): Promise<boolean> {
    const agreed = (await this.#isRedeemed(position)) === true ? (this.#agreed.get(name) ?? 0) + 1 : 0;
    this.#agreed.set(name, agreed);
    return agreed >= this.agreeingLooks;
  }

  async #isRedeemed(position: Position): Promise<boolean | null> {
    try {
      const redemption = this.venues.redemptionAt(position.venue);
      const market = await this.venues.find(position, { account: null, purpose: 'result' });
      if (redemption === null || market === undefined) return null;
      return await redemption.isRedeemed(market, position.outcome);
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  /** Books what was there when the venue was asked; what was paid meanwhile waits for the next check. */
  #book(checked: Position): Promise<boolean> {
    const { account } = checked;
    return this.ledger.write({ account, positions: [checked] }, (now) => {
      const [position, balance] = [now.position(checked), now.balance(cashOf(checked))];
      if (balance === undefined || position?.redeemable !== checked.redeemable) return { result: false };
      return { result: true, ...redeem(balance, position, this.context.ids.next(), this.context.clock.now()) };
    });
  }
}
