/** Open bets are found by the index of results, or by that of their outcome: one for them alone is written in vain. */
export const droppedIndexes = (): readonly string[] => ['drop index bets_open'];
