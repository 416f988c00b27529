import type { Dialect } from '../columns.js';

/** Room for how a purchase of a strategy was counted. */
export const countedBetsSchema = (dialect: Dialect['name']): readonly string[] => [
  `alter table orders add column bet ${dialect === 'sqlite' ? 'text' : 'text collate "C"'}`,
];
