/** Whether a strategy trades: not at all by itself, only what a person approves, or by itself. */
export const AUTOMATIONS = ['off', 'approve', 'auto'] as const;
/** One of them. */
export type Automation = (typeof AUTOMATIONS)[number];
