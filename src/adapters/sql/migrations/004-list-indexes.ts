/** Indexes of what pages of bets and of decisions are filtered by. That of skips is partial, as nearly every decision on record is a bet. */
export const listIndexes = (): readonly string[] => [
  'create index bets_by_result on bets (result, account, id)',
  `create index bets_by_money on bets ((case when paper then 'paper' else 'money' end), account, id)`,
  `create index decisions_skipped on decisions (account, strategy_id, id) where verdict = 'skip'`,
];
