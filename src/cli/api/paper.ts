import { Command } from 'commander';
import type { WireCaller } from '../../adapters/http/answers.js';
import { accountOption } from '../command-options.js';
import { print } from '../print.js';
import { CONFIRMED_OPTIONS, type ConfirmedOptions, confirm, requireConsent, runKey } from './confirmation.js';
import { momentShown } from './output/shown.js';
import { detailsOf } from './output/table.js';
import { segment, withOptions } from './page-options.js';
import { aside, remoteCommand, withServer } from './remote-command.js';
import type { Terminal } from './terminal.js';

interface Reset {
  readonly account: string;
  readonly cash_usdc: string;
  readonly cancelled_orders: number;
  readonly reset_at: string;
}

/** `stakeport paper …`: the simulated money of an account. */
export function paperCommand(terminal: Terminal): Command {
  const paper = new Command('paper').description('begin anew with the simulated money of an account');
  paper.addCommand(resetCommand(terminal));
  return paper;
}

function resetCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'reset',
    'cancel the working paper orders, and give the account its opening cash and nothing else; needs a key with admin',
    'stakeport paper reset',
  ).argument('[account]', 'the account; that of the key when absent', accountOption);
  return withOptions(command, CONFIRMED_OPTIONS).action((said: string | undefined, options: ConfirmedOptions) =>
    withServer(options, async (api) => {
      requireConsent(terminal, options, 'reset the paper account');
      const account = said ?? (await api.request<WireCaller>({ path: '/v1/session' })).body.account;
      const figures = [
        ['account', account],
        ['money', 'PAPER'],
        ['then', 'working orders are cancelled, shares are gone, cash is that of the opening; orders stay on record'],
      ] as const;
      await confirm(terminal, options, { figures, question: 'Begin anew?' });
      const path = `/v1/admin/accounts/${segment(account)}/paper/reset`;
      const { text, body, isReplayed } = await api.request<Reset>({ method: 'POST', path, key: runKey(options) });
      print(options.json === true ? text : shown(body));
      if (isReplayed) aside('This is what the first request with this key did.', options);
    }),
  );
}

const shown = ({ account, cash_usdc: cash, cancelled_orders: cancelled, reset_at: at }: Reset): string =>
  detailsOf([
    ['account', account],
    ['cash', `${cash} USDC`],
    ['cancelled', cancelled],
    ['reset', momentShown(at)],
  ]);
