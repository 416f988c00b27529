/** What the list of all commands says of a group. */
export interface GroupHead {
  readonly means: string;
  /** The argument that it takes itself. */
  readonly takes?: string;
  /** True where it has options of its own. */
  readonly hasOptions?: boolean;
}

/** Groups of commands as the list of all commands has them: it loads none of them. */
export const GROUP_HEADS = {
  backtest: {
    means: 'play strategies over tapes, by the code that trades, on paper; several tapes are one span',
    takes: '<tape...>',
    hasOptions: true,
  },
  tape: { means: 'say what tapes hold, check them, cut parts of them and merge them' },
  sweep: {
    means:
      'play variants of a strategy over tapes, choose by train windows and judge by test windows, and say when the best is what chance would give; a sweep that was ended goes on',
    takes: '<plan>',
    hasOptions: true,
  },
  import: {
    means: 'make a tape of order books or prices that others publish; downloads nothing (docs/data.md)',
    takes: '<kind>',
    hasOptions: true,
  },
  keys: {
    means:
      'create, list and revoke the API keys of a server with AUTH_MODE=keys or keys+jwt, in the database of DATABASE_URL',
  },
  accounts: {
    means:
      'manage which accounts may trade with real money and how much of the wallet is whose, halt and release them, in the database of DATABASE_URL, also beside a running server',
  },
  completion: { means: 'print the script by which a shell completes commands and options', takes: '<shell>' },
  redeemable: {
    means:
      'list what results paid in real money in the database of DATABASE_URL, and how a person redeems it; changes nothing',
    hasOptions: true,
  },
} as const satisfies Readonly<Record<string, GroupHead>>;

/** The name of a group of commands. */
export type GroupName = keyof typeof GROUP_HEADS;
