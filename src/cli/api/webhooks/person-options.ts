import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Terminal } from '../terminal.js';

/** How a person is notified, as options state it: `none` is a word, for which the parser of arguments has no value. */
export interface PersonOptions {
  readonly quiet?: string;
  readonly summary?: string;
  readonly zone?: string;
  readonly gather?: number;
  /** The topic of a group. */
  readonly thread?: number | 'none';
  /** The numbers of Telegram users. */
  readonly commandsFrom?: readonly number[];
  /** Whether to ask for a token. */
  readonly token?: boolean;
}

const NONE = 'none';
const HOURS = /^(none|(\d{1,2}:\d{2})-(\d{1,2}:\d{2}))$/;
const WHOLE = /^\d{1,9}$/;
const USER = /^[1-9]\d{0,14}$/;

/** The command with the options of how a person is notified. */
export function withPersonOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--quiet <from-to>',
        'hours in which only what is urgent is sent, such as 22:00-07:00; or none',
      ).argParser(quietHours),
    )
    .addOption(new Option('--summary <time>', 'when the daily summary is sent, such as 08:00; or none'))
    .addOption(new Option('--zone <name>', 'the time zone of both, such as Europe/Berlin; none for that of the server'))
    .addOption(
      new Option('--gather <seconds>', 'how long it must be quiet before a message is sent; 0 for at once').argParser(
        wholeNumber,
      ),
    );
}

/** The command with the option of who may command the account from a chat. */
export const withCommandsOption = (command: Command): Command =>
  command.addOption(
    new Option(
      '--commands-from <users>',
      'the numbers of the Telegram users, separated by commas, who may command the account from the chat; or none',
    ).argParser(usersOption),
  );

function usersOption(text: string): readonly number[] {
  if (text === NONE) return [];
  const users = text.split(',').map((user) => user.trim());
  if (users.every((user) => USER.test(user))) return users.map(Number);
  throw new InvalidArgumentError('It takes numbers of users, such as 4711,4712, or none.');
}

/** The members of a body that these options name; the others are absent. */
export const personTermsIn = ({ quiet, summary, zone, gather }: PersonOptions) => ({
  quiet_hours: quiet === undefined ? undefined : hoursIn(quiet),
  summary_at: orNone(summary),
  zone: orNone(zone),
  gather_seconds: gather,
});

/** A token for a messenger, typed without being shown or from standard input; null for none. */
export async function askToken(terminal: Terminal, messenger: string): Promise<string | null> {
  const token = (await terminal.askHidden(`The token for ${messenger} (empty for none): `)).trim();
  return token === '' ? null : token;
}

/** What an option says: null for `none`, undefined where it is absent. */
export function orNone<Value>(value: Value): Exclude<Value, typeof NONE> | null {
  return value === NONE ? null : (value as Exclude<Value, typeof NONE>);
}

/** A number without decimals, or `none`. @throws InvalidArgumentError in words */
export const wholeOrNone = (text: string): number | typeof NONE => (text === NONE ? NONE : wholeNumber(text));

function quietHours(text: string): string {
  if (HOURS.test(text)) return text;
  throw new InvalidArgumentError('It takes two times of day, such as 22:00-07:00, or none.');
}

function hoursIn(text: string): { readonly from: string; readonly to: string } | null {
  const [from = '', to] = text.split('-');
  return to === undefined ? null : { from, to };
}

function wholeNumber(text: string): number {
  if (WHOLE.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number, such as 20.');
}
