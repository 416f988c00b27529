import { Command } from 'commander';
import { inOneLine } from '../../core/one-line.js';
import { CommandFailed } from '../../server/failures/exit.js';
import { print } from '../print.js';
import { type ApiAnswer, ApiClient, type ApiRequest } from './client/api-client.js';
import { ApiFailure } from './client/api-failure.js';
import { serverAddress } from './client/server-address.js';
import { type NamedMarket, withMarket } from './named-market.js';

/** What every command against a server takes. */
export interface RemoteOptions {
  readonly profile?: string;
  readonly json?: boolean;
}

/** A command against a server, with what all of them have: help with an example, a profile and JSON. */
export function remoteCommand(name: string, description: string, ...examples: readonly string[]): Command {
  const shown = examples.map((example) => `  ${example}`).join('\n');
  return new Command(name)
    .description(description)
    .option('--profile <name>', 'the server and the key of this profile; see stakeport login')
    .option('--json', 'print what the API says, byte for byte')
    .addHelpText('after', `\nFor example:\n${shown}`);
}

/** A line for a person beside the output; a script that wants JSON gets none. */
export function aside(words: string, { json }: RemoteOptions): void {
  if (json !== true) process.stderr.write(`${inOneLine(words)}\n`);
}

/** Runs something against the server that the options name. With `--json` a failure is a JSON document, too. */
export async function withServer<T>(options: RemoteOptions, use: (api: ApiClient) => Promise<T>): Promise<T> {
  try {
    const api = new ApiClient(serverAddress(options.profile));
    return await use(api).finally(() => api.close());
  } catch (error) {
    throw options.json === true && error instanceof CommandFailed ? inJson(error) : error;
  }
}

/** A request, or how it is made of what the server says first. */
type Asked = ApiRequest | ((api: ApiClient) => Promise<ApiRequest>);

/** How an answer is shown to a person; it may ask for what the answer names. */
type View<Body> = (body: Body, api: ApiClient) => string | Promise<string>;

/** Asks and prints the answer: as the API says it, or as `view` shows it to a person. */
export function show<Body>(options: RemoteOptions, asked: Asked, view: View<Body>): Promise<void> {
  return withServer(options, async (api) => {
    const request = typeof asked === 'function' ? await asked(api) : asked;
    await printAnswer(options, api, await api.request<Body>(request), view);
  });
}

/** The same about the market that a person names: `asked` is given how the server knows it. */
export function showOfMarket<Body>(
  options: RemoteOptions,
  named: NamedMarket,
  asked: (market: string, api: ApiClient) => ApiRequest | Promise<ApiRequest>,
  view: View<Body>,
): Promise<void> {
  return withServer(options, async (api) => {
    const ask = async (market: string) => api.request<Body>(await asked(market, api));
    await printAnswer(options, api, await withMarket(api, named, ask), view);
  });
}

/** Prints an answer: as the API says it, or as `view` shows it to a person. */
async function printAnswer<Body>(
  options: RemoteOptions,
  api: ApiClient,
  { text, body }: ApiAnswer<Body>,
  view: View<Body>,
): Promise<void> {
  print(options.json === true ? text : await view(body, api));
  noteRest(body, options);
}

/** What a page does not show: that there are more, and what the server warns of. */
function noteRest(body: unknown, options: RemoteOptions): void {
  if (typeof body !== 'object' || body === null || !('data' in body)) return;
  const { next_cursor: next = null, warnings = [] } = body as Page;
  // A warning about a member is shown with it.
  for (const { detail, pointer } of warnings) if (pointer === undefined) aside(`Note: ${detail}`, options);
  if (next !== null) aside(`There are more: --cursor ${next}`, options);
}

interface Page {
  readonly next_cursor?: string | null;
  readonly warnings?: readonly { readonly detail: string; readonly pointer?: string }[];
}

/** The sentence, the exit code, the key to repeat it with, and what the API said. */
function inJson(error: CommandFailed): CommandFailed {
  const { message, exit } = error;
  const { key, problem } = error instanceof ApiFailure ? error : { key: null, problem: null };
  return new CommandFailed(JSON.stringify({ error: message, exit, key, problem }), exit, error);
}
