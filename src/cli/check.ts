/** How one thing stands: `missing` keeps orders with real money from working, `warning` is for a person to weigh. */
export interface Check {
  readonly level: 'ok' | 'warning' | 'missing';
  /** One sentence or two: how it stands, and what to do where something is to be done. */
  readonly words: string;
}

/** It stands well. */
export const ok = (words: string): Check => ({ level: 'ok', words });
/** A person should weigh it. */
export const warning = (words: string): Check => ({ level: 'warning', words });
/** Without it orders with real money do not work. */
export const missing = (words: string): Check => ({ level: 'missing', words });
