/** Something that is allowed but probably a mistake. `pointer` is a JSON pointer into the strategy as clients write it. */
export interface Warning {
  readonly pointer: string;
  readonly detail: string;
}
