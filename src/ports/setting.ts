/** One environment variable: what it means, what it is when unset, and how its text becomes a value. */
export interface Setting<Value = unknown> {
  readonly description: string;
  /** What its value must be, with its bounds and an example. */
  readonly takes: string;
  /** The text read when the variable is unset or blank; null for none. */
  readonly default: string | null;
  /** May hold a secret: its value is never printed. */
  readonly secret: boolean;
  /** The value of a text, or what is wrong with it, in words that follow the variable's name and quote no value. */
  read(text: string): { readonly value: Value } | { readonly problem: string };
}

/** Settings by the names of their variables, in the order in which they are explained. */
export type Settings = Readonly<Record<string, Setting>>;

/** What was read, by the names of the variables; undefined where one is unset without a default, or malformed. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** What was read from these settings. */
export type ValuesOf<Table extends Settings> = {
  readonly [Name in keyof Table]: (Table[Name] extends Setting<infer Value> ? Value : never) | undefined;
};

/** Called with what is wrong with a variable in combination with others, in words that follow its name. */
export type ReportProblem = (variable: string, problem: string) => void;
