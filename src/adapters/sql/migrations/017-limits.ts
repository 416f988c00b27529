import type { Dialect } from '../columns.js';

/**
 * What accounts may risk, and what is counted for it. An account that never set a limit has nothing of it, in no row and in
 * no index.
 */
export function limitsSchema(dialect: Dialect['name']): readonly string[] {
  const text = dialect === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    `alter table accounts add column limits ${text}`,
    `alter table balances add column counted ${text}`,
    `alter table positions add column risk ${text}`,
    'create index positions_at_risk on positions (account, paper) where risk is not null',
  ];
}
