import type { Strategy } from '../strategy.js';

/** Whether a pause keeps the strategy from selling at its stop what it may hold. */
export const pausesStop = ({
  isPaused,
  automation,
  rules,
}: Pick<Strategy, 'isPaused' | 'automation' | 'rules'>): boolean =>
  isPaused && automation !== 'off' && rules.exit?.stop !== undefined;
