import { VARIABLES } from './settings.js';

/** What is wrong with one variable, in words that follow its name, without its value. */
export interface Mistake {
  readonly variable: string;
  readonly problem: string;
}

/** Keeps the first problem of each variable: one that is malformed is not also missing. */
export class Review {
  readonly #problems = new Map<string, string>();

  report(variable: string, problem: string): void {
    if (!this.#problems.has(variable)) this.#problems.set(variable, problem);
  }

  /** In the order of the table. */
  get mistakes(): readonly Mistake[] {
    return VARIABLES.flatMap((variable) => {
      const problem = this.#problems.get(variable);
      return problem === undefined ? [] : [{ variable, problem }];
    });
  }
}
