import type { Judgement } from '../judgement.js';
import type { Judged, PlaceBet } from '../place-bet.js';
import type { LookAfterBets } from './look-after-bets.js';

/** Places bets as the given use case does, and hands each over to what looks after it. */
export class FollowedBets implements Pick<PlaceBet, 'execute'> {
  constructor(
    private readonly placeBet: Pick<PlaceBet, 'execute'>,
    private readonly after: Pick<LookAfterBets, 'placed'>,
  ) {}

  /** @throws what placing throws */
  async execute(judgement: Judgement): Promise<Judged | null> {
    const judged = await this.placeBet.execute(judgement);
    // An order that could not be taken in now is read from the log of its account.
    if (judged !== null && judged.order !== null) await this.after.placed(judged.order).catch(() => {});
    return judged;
  }
}
