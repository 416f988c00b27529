import { Command, CommanderError } from 'commander';
import { nearest } from '../core/nearest.js';
import { EXIT } from '../server/failures/exit-codes.js';
import { failureOf } from '../server/failures/failure.js';
import { runServer } from '../server/http/run.js';
import { VERSION } from '../server/http/version.js';
import { settingsHelp } from '../server/settings/settings.js';
import { accountsCommand } from './accounts.js';
import { type AuditOptions, audit } from './audit.js';
import { type CancelAllOptions, cancelAll } from './cancel-all.js';
import { JSON_OPTION } from './command-options.js';
import { type DoctorOptions, doctor } from './doctor.js';
import { type ExternalOptions, external } from './external.js';
import { keysCommand } from './keys.js';
import { type RecordOptions, record } from './record.js';
import { redeemCommand } from './redemptions.js';

const SERVE = 'serve';

const EXITS = `
Exit codes:
  0   done; of a server, stopped by a signal
  1   the answer is no: books that do not hold, something missing, an unknown account, order or key
  2   the audit could not be finished
  64  the command line is wrong
  69  the database or the exchange does not answer: trying again later may help
  75  the port, or the database file, belongs to another process
  78  the configuration is wrong, or the database is another program's or too new: trying again will not help`;

/** Runs `stakeport` with these arguments; what goes wrong is told in a line on standard error, and by the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args.length === 0 ? [SERVE] : args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    const failure = failureOf(error);
    if (failure === null) throw error;
    process.stderr.write(`${failure.message}\n`);
    // At once: a connection that does not answer could not be closed either.
    process.exit(failure.exit);
  }
}

/** The command line: `stakeport` serves, `stakeport keys …` manages API keys, `stakeport audit` checks the books. */
export function createProgram(): Command {
  const program = new Command('stakeport')
    .description(
      'Strategies and orders on prediction-market exchanges, on paper or with real money. Without a command it serves.',
    )
    .version(VERSION, '--version', 'print the version')
    .addHelpText('after', `\nEnvironment variables:\n${settingsHelp()}\n${EXITS}`);
  program
    .command(SERVE)
    .description('run the HTTP server until a signal ends it (what stakeport does without a command)')
    .action(() => runServer());
  addLooking(program);
  program.addCommand(keysCommand());
  program.addCommand(accountsCommand());
  program.addCommand(redeemCommand());
  program
    .command('cancel-all')
    .description(
      'cancel every order that the wallet has at the exchange, whoever placed it; needs the POLYMARKET_ variables of the server, its key too. A running server may place new ones: first stakeport accounts halt-all',
    )
    .option(...JSON_OPTION)
    .action((options: CancelAllOptions) => cancelAll(options));
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
    .description('record markets of MARKET_DATA to a tape, which MARKET_DATA=tape:PATH plays; ends with ^C')
    .requiredOption('--market <name...>', 'condition ids, slugs or numbers of the markets (required)')
    .requiredOption('--out <path>', 'the tape; goes on with one that is there; gzip when it ends in .gz (required)')
    .action((options: RecordOptions) => record(options));
  program
    .command('audit')
    .description(
      'prove that the books in the database of DATABASE_URL hold together, beside a running server too; changes nothing',
    )
    .option(...JSON_OPTION)
    .action((options: AuditOptions) => audit(options));
  program
    .command('external')
    .description(
      'list the orders of the wallet that were not placed here, as far as a server on DATABASE_URL saw them; changes nothing',
    )
    .option(...JSON_OPTION)
    .action((options: ExternalOptions) => external(options));
  program
    .command('doctor')
    .description(
      'say what trading with real money still lacks in this environment; changes nothing, here or at the exchange',
    )
    .option(...JSON_OPTION)
    .action((options: DoctorOptions) => doctor(options));
}

/** A mistake is told in one line, with what may be meant, and where the help is. */
function inOneLine(command: Command): void {
  command.exitOverride().configureOutput({
    outputError: (words, write) => {
      const [said, ...hints] = words.trim().split(/\s*\n\s*/);
      const [, name] = /unknown command '(.*)'/.exec(said ?? '') ?? [];
      const meant = name === undefined ? hints : commandHints(command, name, hints);
      write(`${[said, ...meant].join(' ')} See ${pathOf(command)} --help\n`);
    },
  });
}

/** One of that very name deeper down is meant before one of a name alike. */
function commandHints(command: Command, name: string, hints: readonly string[]): readonly string[] {
  const deeper = command.commands.flatMap((one) => commandsOf(one).slice(1));
  const near = nearest(
    name,
    deeper.map((one) => one.name()),
  );
  const called = deeper.filter((one) => one.name() === (hints.length === 0 ? near : name));
  if (called.length > 0 && name !== '') return [`(Did you mean ${called.map(pathOf).join(' or ')}?)`];
  if (hints.length > 0) return hints;
  return [`(The commands are ${command.commands.map((one) => one.name()).join(', ')}.)`];
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
