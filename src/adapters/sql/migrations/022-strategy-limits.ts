import type { Dialect } from '../columns.js';

/** What is counted for the limits of strategies, and what they may still lose, found without that of others. */
export function strategyLimitsSchema(dialect: Dialect['name']): readonly string[] {
  const text = dialect === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    `alter table exposures add column counted ${text}`,
    `alter table positions add column entries ${text}`,
    'drop index positions_at_risk',
    'create index positions_at_risk on positions (account, paper, strategy_id) where risk is not null',
  ];
}
