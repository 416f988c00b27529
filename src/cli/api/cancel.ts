import type { Command } from 'commander';
import type { WireList, WireOrder } from '../../adapters/http/answers.js';
import { shortId } from '../../core/ids.js';
import { inOneLine } from '../../core/one-line.js';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import type { ApiAnswer, ApiClient } from './client/api-client.js';
import { ApiFailure } from './client/api-failure.js';
import { CONFIRMED_OPTIONS, type ConfirmedOptions, confirm, requireConsent, runKey } from './confirmation.js';
import { knownId, ORDER, WORKING_STATUSES } from './known-id.js';
import { printOrder, printOrders } from './orders.js';
import { moneyShown } from './output/shown.js';
import { segment, withOptions } from './page-options.js';
import { aside, remoteCommand, withServer } from './remote-command.js';
import type { Terminal } from './terminal.js';

interface CancelOptions extends ConfirmedOptions {
  readonly all?: boolean;
  readonly live?: boolean;
}

const AT_ONCE = 8;

interface Left {
  readonly id: string;
  readonly why: string;
  readonly isKnown: boolean;
}

type Fate = { readonly order: WireOrder; readonly text: string } | { readonly left: Left };

/** `stakeport cancel ID` and `stakeport cancel --all`. */
export function cancelCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'cancel',
    'cancel what is left of an order, or of all orders of the account through the server; see cancel-all for the wallet at its venue',
    'stakeport cancel 01a1fda4-6ddc-764a-baa1-d184dfa92254',
    'stakeport cancel --all --live',
  ).argument('[id]', 'the id of the order, or its last 8 characters as stakeport orders shows them');
  return withOptions(command, [
    ['--all', 'every working order of the account on paper'],
    ['--live', 'with --all: those with real money instead'],
    ...CONFIRMED_OPTIONS,
  ]).action((id: string | undefined, options: CancelOptions) => {
    if ((id === undefined) === (options.all !== true)) return command.error('error: say the id of one order, or --all');
    return id === undefined ? cancelAllOf(terminal, options) : cancelOne(id, options);
  });
}

function cancelOne(id: string, options: CancelOptions): Promise<void> {
  return withServer(options, async (api) => {
    const answer = await cancellation(api, await knownId(api, ORDER, id), runKey(options));
    printOrder(options, answer);
    if (answer.body.status !== 'cancelled')
      aside(`It is ${answer.body.status} so far. Look again with: stakeport order ${shortId(answer.body.id)}`, options);
  });
}

function cancellation(api: ApiClient, id: string, key: string): Promise<ApiAnswer<WireOrder>> {
  return api.request({ method: 'POST', path: `${ORDER.path}/${segment(id)}/cancel`, key, missing: ORDER.missing });
}

async function cancelAllOf(terminal: Terminal, options: CancelOptions): Promise<void> {
  const money = moneyShown({ paper: options.live !== true });
  await withServer(options, async (api) => {
    requireConsent(terminal, options, `cancel all ${money} orders`);
    const orders = await workingOrders(api, options.live !== true);
    if (orders.length > 0) {
      const figures = [
        ['money', money],
        ['working orders', orders.length],
      ] as const;
      await confirm(terminal, options, { figures, question: 'Cancel all of them?' });
    }
    const fates = await cancelled(api, orders, runKey(options));
    report(fates, options);
  });
}

async function workingOrders(api: ApiClient, paper: boolean): Promise<readonly WireOrder[]> {
  const found: WireOrder[] = [];
  for (const status of WORKING_STATUSES) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { status, paper, limit: '100', cursor };
      const { body }: ApiAnswer<WireList<WireOrder>> = await api.request({ path: ORDER.path, query });
      found.push(...body.data);
      cursor = body.next_cursor;
    }
  }
  return found;
}

/** Each order has a key of its own below the key of the command, so that a repetition does nothing twice. */
async function cancelled(api: ApiClient, orders: readonly WireOrder[], key: string): Promise<readonly Fate[]> {
  const fates: Fate[] = [];
  for (let from = 0; from < orders.length; from += AT_ONCE) {
    const some = orders.slice(from, from + AT_ONCE).map(({ id }) => fateOf(api, id, `${key}:${id}`));
    fates.push(...(await Promise.all(some)));
  }
  return fates;
}

async function fateOf(api: ApiClient, id: string, key: string): Promise<Fate> {
  try {
    const { body: order, text } = await cancellation(api, id, key);
    return { order, text };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const why = inOneLine(error.problem?.detail ?? 'The answer was lost.');
    return { left: { id, why, isKnown: error.exit === EXIT.no } };
  }
}

function report(fates: readonly Fate[], options: CancelOptions): void {
  const done = fates.flatMap((fate) => ('order' in fate ? [fate] : []));
  printOrders(done, options, 'No order was cancelled: none was working.');
  const left = fates.flatMap((fate) => ('left' in fate ? [fate.left] : []));
  const open = done.filter(({ order: { status } }) => WORKING_STATUSES.some((one) => one === status));
  if (open.length > 0) aside(`${open.length} still work until their venue has answered. Look again.`, options);
  if (left.length === 0) return;
  const words = `${left.length} of ${fates.length} orders were not cancelled, as far as is known. Run the same again.`;
  const reasons = left.map(({ id, why }) => `${shortId(id)}: ${why}`).join(' ');
  throw new CommandFailed(`${words} ${reasons}`, left.every(({ isKnown }) => isKnown) ? EXIT.no : EXIT.unfinished);
}
