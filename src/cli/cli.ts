import { Command, CommanderError } from 'commander';
import { VERSION } from '../adapters/system/version.js';
import { nearest } from '../core/nearest.js';
import { EXIT } from '../server/failures/exit.js';
import { processTerminal, type Terminal } from './api/terminal.js';
import type { AuditOptions } from './audit.js';
import type { BackupOptions, MigrateOptions } from './backup.js';
import type { CancelAllOptions } from './cancel-all.js';
import { daysOption, JSON_OPTION } from './command-options.js';
import type { DoctorOptions } from './doctor.js';
import type { ExternalOptions } from './external.js';
import { GROUP_HEADS, type GroupHead, type GroupName } from './group-heads.js';
import type { RecordOptions } from './record.js';

const EXITS = `
Exit codes:
  0   done; of a server, stopped by a signal
  1   the answer is no: the books do not hold, something is missing, unknown, forbidden or refused
  2   it is not known: the audit could not be finished, or the answer of a server was lost
  64  the command line is wrong, or nobody could be asked for a confirmation
  69  the database, the venue or the server does not answer: retrying later may help
  75  the port, or the database file, belongs to another process
  78  the configuration or a key is wrong, or the database is another program's or too new: retrying will not help`;

const CLIENT_VARIABLES = `
Variables of the commands against a server (see stakeport login for profiles):
  STAKEPORT_URL   the address of the server, such as https://trade.example.org; takes the place of a profile
  STAKEPORT_KEY   the API key for it; none for a server in dev mode
  NO_COLOR        when set, tables have no colours; FORCE_COLOR: colours also in a pipe`;

/** Groups of commands, each loaded by whoever names it. */
const GROUPS: Readonly<Record<GroupName, () => Promise<Command>>> = {
  backtest: async () => (await import('./backtest.js')).backtestCommand(),
  tape: async () => (await import('./tape.js')).tapeCommand(),
  sweep: async () => (await import('./sweep.js')).sweepCommand(),
  import: async () => (await import('./import.js')).importCommand(),
  keys: async () => (await import('./keys.js')).keysCommand(),
  accounts: async () => (await import('./accounts.js')).accountsCommand(),
  completion: async () => (await import('./completion.js')).completionCommand(createProgram),
  redeemable: async () => (await import('./redemptions.js')).redeemCommand(),
};

/** Runs the command that these arguments name; a mistake in them is on standard error, and in the exit code. */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    if (isListOfAll(args)) (await listedCommands()).outputHelp();
    else if (!(await runAlone(args))) await (await createProgram()).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

/** Runs a command without loading the others. False, with nothing done or printed, after a mistake: its hints need all names. */
async function runAlone(args: readonly string[]): Promise<boolean> {
  const [name = ''] = args;
  const named = (commands: readonly Command[]) => commands.filter((command) => command.name() === name);
  let program = programOf([], [], name === 'cancel-all' ? await settingsTold() : null);
  if (named(program.commands).length === 0) {
    const load = isGroup(name) ? GROUPS[name] : undefined;
    program = programOf(named(load === undefined ? await loadRemote(processTerminal) : [await load()]), [], null);
  }
  if (named(program.commands).length === 0) return false;
  for (const command of commandsOf(program)) command.configureOutput({ outputError: () => {} });
  try {
    await program.parseAsync(args, { from: 'user' });
    return true;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode !== 0) return false;
    throw error;
  }
}

const isGroup = (name: string): name is GroupName => Object.hasOwn(GROUPS, name);

const isListOfAll = ([first = '', ...more]: readonly string[]): boolean =>
  more.length === 0 && ['--help', '-h', 'help'].includes(first);

/** The program as its help lists it: no group is loaded for that. */
export async function listedCommands(terminal: Terminal = processTerminal): Promise<Command> {
  const heads: readonly (readonly [string, GroupHead])[] = Object.entries(GROUP_HEADS);
  const groups = heads.map(([name, { means, takes, hasOptions = false }]) => {
    const command = new Command(name).description(means);
    if (takes !== undefined) command.argument(takes);
    return hasOptions ? command.option(...JSON_OPTION) : command;
  });
  return programOf(groups, await loadRemote(terminal), await settingsTold());
}

/** What is said of the settings of a server. */
interface SettingsTold {
  /** Every variable. */
  readonly help: string;
  /** The variables with keys of venues. */
  readonly keys: string;
}

/** Loads the settings, which most commands need none of. */
async function settingsTold(): Promise<SettingsTold> {
  const { settingsHelp } = await import('../server/settings/settings.js');
  const { VENUE_ADAPTERS } = await import('../server/venues.js');
  return { help: settingsHelp(), keys: VENUE_ADAPTERS.flatMap(({ keyVariables }) => keyVariables).join(', ') };
}

async function loadRemote(terminal: Terminal): Promise<readonly Command[]> {
  const { remoteCommands } = await import('./api/commands.js');
  return remoteCommands(terminal).map((command) => command.helpGroup('Against a server:'));
}

/**
 * The command line: `stakeport` serves, `stakeport buy …` and its like talk to a server, and `stakeport keys …`, `stakeport
 * audit` and their like to the database.
 */
export async function createProgram(terminal: Terminal = processTerminal): Promise<Command> {
  const groups = await Promise.all(Object.values(GROUPS).map((load) => load()));
  return programOf(groups, await loadRemote(terminal), await settingsTold());
}

/** @param told null for a program of which only a command is shown that says nothing of settings */
function programOf(groups: readonly Command[], remote: readonly Command[], told: SettingsTold | null): Command {
  const program = new Command('stakeport')
    .description(
      'Strategies and orders on prediction markets, on paper or with real money. Without a command, it runs the server.',
    )
    .version(VERSION, '--version', 'print the version')
    .option(
      '--env-file <path>',
      'read environment variables from a file, before the command; those that are set already win',
    )
    .addHelpText('after', `\nEnvironment variables:\n${told?.help}\n${CLIENT_VARIABLES}\n${EXITS}`);
  program
    .command('serve')
    .description('run the HTTP server until a signal ends it (what stakeport does without a command)')
    .action(async () => (await import('../server/http/run-server.js')).runServer());
  program
    .command('demo')
    .description(
      'run a server for a first look: it plays a recording of two markets from its beginning once somebody trades or opens the dashboard, takes paper orders, and keeps nothing',
    )
    .action(async () => (await import('../server/http/demo.js')).runDemo());
  addLooking(program);
  for (const command of groups) program.addCommand(command);
  program
    .command('cancel-all')
    .description(
      `cancel every order of the wallet at its venue, no matter what placed it; needs the settings of the venue as the server has them, including its key (${told?.keys}, or the file with it). A running server may place new ones: run stakeport accounts halt-all first`,
    )
    .option(...JSON_OPTION)
    .action(async (options: CancelAllOptions) => (await import('./cancel-all.js')).cancelAll(options));
  for (const command of remote) program.addCommand(command);
  for (const command of commandsOf(program)) inOneLine(command);
  return program;
}

/** A command and all that are under it. */
export function commandsOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

function addLooking(program: Command): void {
  program
    .command('record')
    .description(
      'record markets of MARKET_DATA to a tape, which MARKET_DATA=tape:PATH plays; ends with ^C. With --sport or --league it follows what appears, each market until it has a result, in a tape a day',
    )
    .option('--market <name...>', 'ids, slugs or numbers of the markets')
    .option('--sport <name>', 'follow the markets of a sport')
    .option('--league <name>', 'follow the markets of a league, such as epl')
    .option('--days-ahead <days>', 'how many days before its start a market is followed; 1 unless given', daysOption)
    .requiredOption(
      '--out <path>',
      'the tape; continues an existing one; gzip when it ends in .gz. With --sport or --league a folder, bounded by RECORD_MAX_MB (required)',
    )
    .option(...JSON_OPTION)
    .action(async (options: RecordOptions) => (await import('./record.js')).record(options));
  program
    .command('audit')
    .description('verify the books in the database of DATABASE_URL, also beside a running server; changes nothing')
    .option(
      '--venue <name>',
      'also compare net positions and cash with what this venue shows; needs its settings and key',
    )
    .option(...JSON_OPTION)
    .action(async (options: AuditOptions) => (await import('./audit.js')).audit(options));
  program
    .command('backup')
    .argument('<path>', 'the copy: a new file')
    .description('copy the SQLite database of DATABASE_URL, also beside a running server; changes nothing there')
    .option(...JSON_OPTION)
    .action(async (path: string, options: BackupOptions) => (await import('./backup.js')).backup(path, options));
  program
    .command('migrate')
    .description('create the tables of DATABASE_URL, or bring them to this version, as a start of the server does')
    .option(...JSON_OPTION)
    .action(async (options: MigrateOptions) => (await import('./backup.js')).migrateDatabase(options));
  program
    .command('external')
    .description(
      'list the orders of the wallet that were not placed here, as far as a server on DATABASE_URL saw them; changes nothing',
    )
    .option(...JSON_OPTION)
    .action(async (options: ExternalOptions) => (await import('./external.js')).external(options));
  program
    .command('doctor')
    .description(
      'show what trading with real money still needs in this environment; changes nothing, here or at the venue',
    )
    .option('--venue <name>', 'examine this venue, in place of that of MARKET_DATA')
    .option('--probe', 'also ask the demo of the venue what nobody knows of it, with orders of a cent of play money')
    .option(...JSON_OPTION)
    .action(async (options: DoctorOptions) => (await import('./doctor.js')).doctor(options));
}

/** Prints a mistake in one line, with a suggestion and where to find help. */
function inOneLine(command: Command): void {
  command.exitOverride().configureOutput({
    outputError: (words, write) => {
      const [said, ...hints] = words.trim().split(/\s*\n\s*/);
      const [, name] = /unknown command '(.*)'/.exec(said ?? '') ?? [];
      const word = otherWord(command, said);
      const others = word.length > 0 ? word : [...hints, ...namesakes(command, said)];
      const meant = name === undefined ? others : commandHints(command, name, hints);
      const all = [said, ...meant].join(' ');
      write(`${all}${/[.?!)]$/.test(all) ? '' : '.'} See ${pathOf(command)} --help\n`);
    },
  });
}

/** What other programs call an option, and what it is called here. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  '--stake': '--usdc',
  '--amount': '--usdc',
  '--size': '--usdc',
  '--quantity': '--shares',
  '--limit-price': '--price',
  '--slippage': '--max-slippage',
};

/** The hint for an option by the word of another program, where the command has what it means. */
function otherWord(command: Command, said = ''): readonly string[] {
  const meant = OTHER_WORDS[/unknown option '(--[^'=]*)/.exec(said)?.[1] ?? ''];
  const has = meant !== undefined && command.options.some(({ long }) => long === meant);
  return has ? [`(Did you mean ${meant}?)`] : [];
}

/** Prefers a subcommand of exactly that name over similar names. */
function commandHints(command: Command, name: string, hints: readonly string[]): readonly string[] {
  const deeper = command.commands.flatMap((one) => commandsOf(one).slice(1));
  const isNear = nearest(name, namesOf(command.commands)) !== undefined;
  const near = isNear ? undefined : nearest(name, namesOf(deeper));
  const called = deeper.filter((one) => one.name() === (near ?? name));
  if (called.length > 0 && name !== '') return [didYouMean(called)];
  if (hints.length > 0) return hints;
  return [`(The commands are ${namesOf(command.commands).join(', ')}.)`];
}

/**
 * Hints for an argument too many: the command of the same name further down that takes one, such as `accounts halt NAME`; else the
 * commands of the group, since the argument was probably meant as one of them.
 */
function namesakes(command: Command, said = ''): readonly string[] {
  if (!said.includes('too many arguments') || command.parent === null) return [];
  const others = command.parent.commands.flatMap((one) => commandsOf(one).slice(1));
  const called = others.filter((one) => one.name() === command.name());
  if (called.length > 0) return [didYouMean(called)];
  const { parent } = command;
  return parent.parent === null
    ? []
    : [`(The commands of ${pathOf(parent)} are ${namesOf(parent.commands).join(', ')}.)`];
}

const namesOf = (commands: readonly Command[]): readonly string[] => commands.map((one) => one.name());

const didYouMean = (commands: readonly Command[]): string => `(Did you mean ${commands.map(pathOf).join(' or ')}?)`;

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
