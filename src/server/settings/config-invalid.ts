import type { Mistake } from './review.js';

/** The environment is not a valid configuration; the message lists every mistake on a line of its own. */
export class ConfigInvalid extends Error {
  constructor(readonly mistakes: readonly Mistake[]) {
    super(['The configuration is not usable:', ...mistakes.map((m) => `  ${m.variable} ${m.problem}.`)].join('\n'));
    this.name = 'ConfigInvalid';
  }
}
