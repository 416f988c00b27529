import { Command } from 'commander';
import type { WireStrategy } from '../../adapters/http/answers.js';
import { inOneLine } from '../../core/one-line.js';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import { print } from '../print.js';
import type { ApiAnswer, ApiClient, ApiRequest } from './client/api-client.js';
import { CONFIRMED_OPTIONS, type ConfirmedOptions, confirm, requireConsent, runKey } from './confirmation.js';
import { fileText } from './file-text.js';
import { knownId, STRATEGY } from './known-id.js';
import { type Detail, detailsOf, tableOf } from './output/table.js';
import { segment, withOptions } from './page-options.js';
import { aside, remoteCommand, show, withServer } from './remote-command.js';
import { STRATEGY_ARGUMENT, strategyShowCommand, strategyShown } from './strategies.js';
import { askedStrategy, type JsonMember, type JsonObject } from './strategy-questions.js';
import type { Terminal } from './terminal.js';

type Body = JsonObject;

interface Explanation {
  readonly data: readonly { readonly pointer: string; readonly sentence: string }[];
  readonly warnings: readonly { readonly pointer: string; readonly detail: string }[];
}

const { path: PATH, missing: MISSING } = STRATEGY;
const FILE = [
  '<file>',
  'a JSON document as `stakeport strategy NAME --json` prints one; - for standard input',
] as const;
const [YES, KEY] = CONFIRMED_OPTIONS;
/** What the service adds to a strategy, which no request has. */
const ADDED = ['id', 'created_at', 'updated_at', 'version', 'archived_at', 'warnings'];
/** What no change has. */
const FIXED = ['sport'];

/** `stakeport strategy …`: without a verb it shows the strategy of an id. */
export function strategyCommand(terminal: Terminal): Command {
  const strategy = new Command('strategy').description('show, make and change strategies');
  strategy.addCommand(strategyShowCommand(), { isDefault: true });
  const others = [
    validateCommand(terminal),
    createCommand(terminal),
    editCommand(terminal),
    cloneCommand(),
    switchCommand('pause', 'pause a strategy: its new orders are denied; what rests and what it holds stays'),
    switchCommand('resume', 'let a paused strategy order again'),
    archiveCommand(terminal),
  ];
  for (const command of others) strategy.addCommand(command);
  return strategy;
}

function validateCommand(terminal: Terminal): Command {
  return remoteCommand(
    'validate',
    'say what a strategy would do, and what is probably a mistake; makes nothing',
    'stakeport strategy validate favourites.json',
  )
    .argument(...FILE)
    .action((file: string, options: ConfirmedOptions) =>
      show<Explanation>(
        options,
        async () => ({ method: 'POST', path: `${PATH}/validate`, body: requestIn(await bodyIn(file, terminal)) }),
        explained,
      ),
    );
}

function createCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'create',
    'make a strategy; it trades on paper only, unless the file says otherwise',
    'stakeport strategy create favourites.json',
  ).argument('[file]', `${FILE[1]}; without one a person is asked`);
  return withOptions(command, CONFIRMED_OPTIONS).action((file: string | undefined, options: ConfirmedOptions) =>
    withServer(options, async (api) => {
      requireConsent(terminal, options, 'make this strategy');
      const body = file === undefined ? await askedStrategy(terminal, api) : requestIn(await bodyIn(file, terminal));
      await reviewed(api, terminal, options, { body, figures: figuresOf(body), question: 'Make it?' });
      done(options, await api.request({ method: 'POST', path: PATH, body, key: runKey(options) }));
    }),
  );
}

function editCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'edit',
    'change a strategy: a new version; members that the file does not have stay as they are',
    'stakeport strategy edit 91c24c01 it.json',
  )
    .argument(...STRATEGY_ARGUMENT)
    .argument(...FILE);
  return withOptions(command, YES === undefined ? [] : [YES]).action(
    (said: string, file: string, options: ConfirmedOptions) =>
      withServer(options, async (api) => {
        requireConsent(terminal, options, 'change this strategy');
        const { body: now, etag } = await one(api, said);
        const wanted = without(requestIn(await bodyIn(file, terminal)), FIXED);
        const changed = Object.entries(wanted).filter(([name, value]) => !isSame(value, membersOf(now)[name]));
        if (changed.length === 0) {
          aside('Nothing differs from the strategy as it is. Nothing was done.', options);
          return;
        }
        const body = Object.fromEntries(changed);
        const figures = changed.map(
          ([name, value]): Detail => [
            name,
            `${JSON.stringify(membersOf(now)[name] ?? null)} → ${JSON.stringify(value)}`,
          ],
        );
        const whole = without({ ...requestIn(membersOf(now)), ...body }, []);
        await reviewed(api, terminal, options, { body: whole, figures, question: 'Change it?' });
        const request = { method: 'PATCH', path: `${PATH}/${segment(now.id)}`, body, missing: MISSING } as const;
        done(options, await api.request({ ...request, ...(etag !== null && { ifMatch: etag }) }));
      }),
  );
}

function cloneCommand(): Command {
  const command = remoteCommand(
    'clone',
    'make a strategy with the rules of another; it is paused, and trades on paper only',
    'stakeport strategy clone 91c24c01 --name "Favourites, shorter odds"',
  )
    .argument(...STRATEGY_ARGUMENT)
    .option('--name <name>', 'what it is called; that of the other and “copy” when absent');
  return withOptions(command, KEY === undefined ? [] : [KEY]).action(
    (said: string, options: ConfirmedOptions & { name?: string }) =>
      withServer(options, async (api) => {
        const { body: now } = await one(api, said);
        const name = options.name ?? `${now.name} copy`;
        const flags = {
          is_paused: true,
          paper_only: true,
          ...(now.automation !== undefined && { automation_paper: true }),
        };
        const body = { ...requestIn(membersOf(now)), name, ...flags };
        done(options, await api.request({ method: 'POST', path: PATH, body, key: runKey(options) }));
      }),
  );
}

function switchCommand(verb: 'pause' | 'resume', description: string): Command {
  const command = remoteCommand(verb, description, `stakeport strategy ${verb} 91c24c01`).argument(
    ...STRATEGY_ARGUMENT,
  );
  return withOptions(command, KEY === undefined ? [] : [KEY]).action((said: string, options: ConfirmedOptions) =>
    withServer(options, async (api) => {
      const path = `${PATH}/${segment(await knownId(api, STRATEGY, said))}/${verb}`;
      done(options, await api.request({ method: 'POST', path, key: runKey(options), missing: MISSING }));
    }),
  );
}

function archiveCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'archive',
    'archive a strategy for good: it takes no more orders; its versions and orders stay',
    'stakeport strategy archive 91c24c01',
  ).argument(...STRATEGY_ARGUMENT);
  return withOptions(command, YES === undefined ? [] : [YES]).action((said: string, options: ConfirmedOptions) =>
    withServer(options, async (api) => {
      requireConsent(terminal, options, 'archive this strategy');
      const { body: now, etag } = await one(api, said);
      const figures: readonly Detail[] = [
        ['strategy', now.name],
        ['version', now.version],
        ['then', 'it cannot be read, changed or resumed any more; what it holds stays, and is not sold by it'],
      ];
      await confirm(terminal, options, { figures, question: 'Archive it for good?' });
      const request = { method: 'DELETE', path: `${PATH}/${segment(now.id)}`, missing: MISSING } as const;
      done(options, await api.request({ ...request, ...(etag !== null && { ifMatch: etag }) }));
    }),
  );
}

/** The strategy that a person names, as it is now. */
async function one(api: ApiClient, said: string): Promise<ApiAnswer<WireStrategy>> {
  const path = `${PATH}/${segment(await knownId(api, STRATEGY, said))}`;
  return api.request<WireStrategy>({ path, missing: MISSING });
}

interface Review {
  /** The whole strategy that would result. */
  readonly body: Body;
  readonly figures: readonly Detail[];
  readonly question: string;
}

/** Shows a person what a strategy would do, and asks. */
async function reviewed(
  api: ApiClient,
  terminal: Terminal,
  options: ConfirmedOptions,
  { body, figures, question }: Review,
): Promise<void> {
  if (options.yes === true) return;
  const request: ApiRequest = { method: 'POST', path: `${PATH}/validate`, body };
  process.stderr.write(`${explained((await api.request<Explanation>(request)).body)}\n\n`);
  await confirm(terminal, options, { figures, question });
}

function done(options: ConfirmedOptions, { text, body, isReplayed }: ApiAnswer<WireStrategy>): void {
  print(options.json === true ? text : strategyShown(body));
  if (isReplayed) aside('This is what the first request with this key did.', options);
}

function explained({ data, warnings }: Explanation): string {
  const sentences = tableOf(
    [
      { title: 'member', of: ({ pointer }: Explanation['data'][number]) => pointer.slice(1) },
      { title: 'means', of: ({ sentence }) => sentence },
    ],
    data,
    'It does nothing.',
  );
  if (warnings.length === 0) return sentences;
  const lines = warnings.map(({ pointer, detail }): Detail => ['warning', `${pointer.slice(1)} ${detail}`.trim()]);
  return `${sentences}\n\n${detailsOf(lines)}`;
}

const figuresOf = ({ name, sport, automation, bankroll_cap: bankroll, stake_cap: stake }: Body): readonly Detail[] => [
  ['name', textOf(name)],
  ['sport', textOf(sport)],
  ['automation', textOf(automation ?? 'off')],
  ['bankroll cap', `${textOf(bankroll)} USDC`],
  ['stake cap', `${textOf(stake)} USDC`],
];

const textOf = (value: JsonMember | undefined): string =>
  typeof value === 'object' ? JSON.stringify(value) : `${value}`;

/** @throws CommandFailed where the file is none, or holds no JSON object */
async function bodyIn(file: string, terminal: Terminal): Promise<Body> {
  const text = await fileText(file, terminal);
  const name = file === '-' ? 'standard input' : file;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? inOneLine(error.message) : '';
    throw new CommandFailed(`${name} holds no JSON: ${why}. Nothing was done.`, EXIT.usage);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Body;
  throw new CommandFailed(`${name} holds no JSON object with the members of a strategy. Nothing was done.`, EXIT.usage);
}

/** What a request has of a strategy. */
const requestIn = (body: Body): Body => without(body, ADDED);

const membersOf = (strategy: WireStrategy): Body => JSON.parse(JSON.stringify(strategy));

const without = (body: Body, names: readonly string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** Whether two values are the same, with a number and its text as one. */
function isSame(one: JsonMember | undefined, other: JsonMember | undefined): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null)
    return `${one}` === `${other}`;
  const [mine, theirs] = [Object.entries(one), new Map(Object.entries(other))];
  return mine.length === theirs.size && mine.every(([name, value]) => isSame(value, theirs.get(name)));
}
