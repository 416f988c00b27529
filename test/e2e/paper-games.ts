/** Backs the first team with 5 dollars at odds of at least 1.9. */
export const STRATEGY = {
  name: 'Cheap',
  sport: 'basketball',
  automation: 'auto',
  bankroll_cap: 100_000,
  stake_cap: 50,
  rules: {
    outcome: { index: 0 },
    filter: { min_odds: 1.9, max_spread: null },
    sizing: { method: 'flat', value: 5 },
    limits: { max_bets_per_day: null, event_loss: null, daily_loss: null },
  },
};
