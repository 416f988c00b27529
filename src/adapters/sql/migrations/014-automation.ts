import type { Dialect } from '../columns.js';

const TYPES = {
  sqlite: { text: 'text', flag: 'integer', yes: '1' },
  postgres: { text: 'text collate "C"', flag: 'boolean', yes: 'true' },
} as const;

/** How strategies trade by themselves: none does that was there before. Only an API key lets one do it with real money. */
export function automationSchema(dialect: Dialect['name']): readonly string[] {
  const { text, flag, yes } = TYPES[dialect];
  return ['strategies', 'strategy_versions'].flatMap((table) => [
    `alter table ${table} add column automation ${text} not null default 'off'
      check (automation in ('off', 'approve', 'auto'))`,
    `alter table ${table} add column automation_paper ${flag} not null default ${yes}`,
    `alter table ${table} add column automation_key ${text} check (automation_paper = (automation_key is null))`,
  ]);
}
