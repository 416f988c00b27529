import type { Command } from 'commander';
import type { WireApproval, WireList, WireStrategy } from '../../adapters/http/answers.js';
import { shortId } from '../../core/ids.js';
import { inOneLine } from '../../core/one-line.js';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import { print } from '../print.js';
import type { ApiAnswer, ApiClient } from './client/api-client.js';
import { ApiFailure } from './client/api-failure.js';
import { CONFIRMED_OPTIONS, type ConfirmedOptions, confirm, requireConsent, runKey } from './confirmation.js';
import { APPROVAL, knownId, STRATEGY } from './known-id.js';
import { momentShown, moneyAtStake, outcomeShown } from './output/shown.js';
import { type Detail, detailsOf, type TableColumn, tableOf } from './output/table.js';
import { PAGE_OPTIONS, type PageOptions, pageQuery, segment, withOptions } from './page-options.js';
import { aside, type RemoteOptions, remoteCommand, show, withServer } from './remote-command.js';
import type { Terminal } from './terminal.js';

const { path: PATH, missing: MISSING } = APPROVAL;
const ID = ['<id>', 'the id of the approval, or its last 8 characters as stakeport approvals shows them'] as const;
const NAME_WIDTH = 60;
const ALL = 'all';

const COLUMNS: readonly TableColumn<WireApproval>[] = [
  { title: 'id', of: ({ id }) => shortId(id) },
  { title: 'state', of: ({ state }) => state, painted: true },
  { title: 'until', of: ({ expires_at: at }) => momentShown(at) },
  { title: 'outcome', of: ({ decision: { name } }) => name, most: NAME_WIDTH },
  { title: 'price', of: ({ decision }) => decision.price, right: true },
  { title: 'size', of: ({ decision }) => decision.size_usdc, right: true },
  { title: 'cost', of: ({ decision }) => decision.cost_usdc, right: true },
];

/** `stakeport approvals`. */
export function approvalsCommand(): Command {
  const command = remoteCommand(
    'approvals',
    'list bets that wait for a person, newest first',
    'stakeport approvals',
    'stakeport approvals --state all',
  ).option('--state <state>', 'waiting, approved, rejected, refused, expired or all', 'waiting');
  return withOptions(command, PAGE_OPTIONS).action((options: RemoteOptions & PageOptions & { state: string }) => {
    const query = { state: options.state === ALL ? undefined : options.state, ...pageQuery(options) };
    return show<WireList<WireApproval>>(options, { path: PATH, query }, ({ data }) =>
      tableOf(COLUMNS, data, options.state === 'waiting' ? 'Nothing waits.' : 'No approvals.'),
    );
  });
}

/** `stakeport approve ID`. */
export function approveCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'approve',
    'approve a bet that waits: it is decided again at the prices of now, for no more money than is shown',
    'stakeport approve 01a1fda4-6ddc-764a-baa1-d184dfa92254',
  ).argument(...ID);
  return withOptions(command, [
    ['--live', 'the bet is with real money; a bet with real money is refused without it'],
    ...CONFIRMED_OPTIONS,
  ]).action((said: string, options: ConfirmedOptions & { live?: boolean }) =>
    withServer(options, async (api) => {
      requireConsent(terminal, options, 'approve this bet');
      const id = await knownId(api, APPROVAL, said);
      const { body: approval } = await api.request<WireApproval>({ path: `${PATH}/${segment(id)}`, missing: MISSING });
      const paper = await isOnPaper(api, approval);
      requireNamed(paper, options.live === true);
      await confirm(terminal, options, { figures: figuresOfBet(approval, paper), question: 'Approve it?' });
      const answer = await answered(api, id, 'approve', options);
      printApproval(options, answer);
      const { state, decision } = answer.body;
      if (state !== 'approved') throw new ApiFailure(`The bet is ${state}: ${inOneLine(decision.reason)}`, EXIT.no);
    }),
  );
}

/** `stakeport reject ID`. */
export function rejectCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'reject',
    'reject a bet that waits: nothing is ordered',
    'stakeport reject 01a1fda4-6ddc-764a-baa1-d184dfa92254',
  ).argument(...ID);
  return withOptions(command, CONFIRMED_OPTIONS).action((said: string, options: ConfirmedOptions) =>
    withServer(options, async (api) => {
      // Nothing is ordered by it, so a script needs no --yes; a person is shown what would be lost.
      const isAsked = options.yes !== true && terminal.isInteractive;
      const id = await knownId(api, APPROVAL, said);
      if (isAsked) {
        const { body } = await api.request<WireApproval>({ path: `${PATH}/${segment(id)}`, missing: MISSING });
        const figures = figuresOfBet(body, await isOnPaper(api, body));
        await confirm(terminal, options, { figures, question: 'Reject it?' });
      }
      printApproval(options, await answered(api, id, 'reject', options));
    }),
  );
}

function answered(
  api: ApiClient,
  id: string,
  verb: 'approve' | 'reject',
  options: ConfirmedOptions,
): Promise<ApiAnswer<WireApproval>> {
  const path = `${PATH}/${segment(id)}/${verb}`;
  return api.request({ method: 'POST', path, key: runKey(options), missing: MISSING });
}

function printApproval(options: RemoteOptions, { text, body, isReplayed }: ApiAnswer<WireApproval>): void {
  print(options.json === true ? text : detailsOf(detailsOfApproval(body)));
  if (isReplayed) aside('This is what the first request with this key did.', options);
}

/** Which money the bet is of: the server refuses it if the strategy changes that meanwhile. */
async function isOnPaper(api: ApiClient, { decision }: WireApproval): Promise<boolean> {
  const path = `${STRATEGY.path}/${segment(decision.strategy_id)}`;
  const missing = 'The strategy of this bet was deleted, so it cannot be approved.';
  const { body } = await api.request<WireStrategy>({ path, missing });
  return body.automation_paper !== false;
}

/** @throws CommandFailed where the money is not the one that was named */
function requireNamed(paper: boolean, live: boolean): void {
  if (paper !== live) return;
  const words = paper
    ? 'This bet is on paper: leave --live out.'
    : 'This bet is with real money: say --live to approve it.';
  throw new CommandFailed(`${words} Nothing was done.`, EXIT.usage);
}

function figuresOfBet({ decision, expires_at: until }: WireApproval, paper: boolean): readonly Detail[] {
  const { token, outcome_label: label, market_id: market, price, size_usdc: size, shares, cost_usdc: cost } = decision;
  return [
    ['order', `${moneyAtStake(paper, decision.venue)}, BUY ${decision.name}`],
    ['market', decision.question === null ? market : `${decision.question} (${shortId(market)})`],
    ['stake', `${size} USDC for ${shares} shares`],
    ['worst price', `${price} USDC a share, or what it is decided at by then`],
    [
      'at risk',
      `${cost} USDC at most, the fee included: all of it is lost if ${outcomeShown(token, label)} does not win`,
    ],
    ['odds', decision.odds],
    ['until', momentShown(until)],
  ];
}

function detailsOfApproval({ id, state, decision, ...approval }: WireApproval): readonly Detail[] {
  const { name, price, size_usdc: size, cost_usdc: cost } = decision;
  return [
    ['id', id],
    ['state', state],
    ['outcome', name],
    ['price', price],
    ['size', size === null ? null : `${size} USDC`],
    ['cost', cost === null ? null : `${cost} USDC`],
    ['why', decision.reason],
    ['decided by', approval.decided_by],
    ['order', approval.order_id === null ? null : shortId(approval.order_id)],
  ];
}
