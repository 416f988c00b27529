import type { ProblemName } from './problem.js';

/** How an act that risks more than before is refused to a session that may not do it now. */
export const RESTRAINED = ['ui-trading-off', 'key-needed'] as const satisfies readonly ProblemName[];
