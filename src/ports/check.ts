/** The state of one condition: `missing` prevents live orders, `warning` is for a person to judge. */
export interface Check {
  readonly level: 'ok' | 'warning' | 'missing';
  /** One sentence or two: the state, and what to do about it where action is needed. */
  readonly words: string;
}
