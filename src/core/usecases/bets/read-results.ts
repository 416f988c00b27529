import type { Ledger } from '../../../ports/ledger.js';
import type { AccountId } from '../../ids.js';
import { bySumKey, type ResultBy, type SumKey } from '../../performance/kept-sums.js';
import { type MeasuresByName, measuresOfSums } from '../../performance/measures.js';
import type { KeepBets } from './background/keep-bets.js';

/** What the bets that share one property showed. */
export interface ResultRow extends SumKey {
  /** Settled ones. */
  readonly bets: bigint;
  readonly open: bigint;
  readonly measures: MeasuresByName;
}

/** Reads what the bets of an account showed, up to its newest order, from sums that are kept as bets settle. */
export class ReadResults {
  constructor(
    private readonly ledger: Pick<Ledger, 'bets'>,
    private readonly keep: Pick<KeepBets, 'execute'>,
  ) {}

  /** Divided by one property, of one kind of money, each venue apart. @throws StorageUnavailable */
  async execute(account: AccountId, by: ResultBy, paper: boolean): Promise<readonly ResultRow[]> {
    await this.keep.execute(account);
    const kept = await this.ledger.bets.sums(account, { by, paper });
    return kept
      .filter(({ sums }) => sums.of.all > 0n)
      .sort(bySumKey)
      .map(({ sums, ...key }) => ({
        ...key,
        bets: sums.of.settled,
        open: sums.of.all - sums.of.settled,
        measures: measuresOfSums(sums),
      }));
  }
}
