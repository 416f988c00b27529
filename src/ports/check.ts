/** How one thing stands: `missing` keeps orders with real money from working, `warning` is for a person to weigh. */
export interface Check {
  readonly level: 'ok' | 'warning' | 'missing';
  /** One sentence or two: how it stands, and what to do where something is to be done. */
  readonly words: string;
}
