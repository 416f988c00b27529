import { Command } from 'commander';
import type { WireSignal } from '../../adapters/http/answers.js';
import { EXIT } from '../../server/failures/exit.js';
import { CommandFailed } from '../../server/failures/failure.js';
import { momentOrDurationOption } from './moment-option.js';
import { momentShown } from './output/shown.js';
import { type Detail, detailsOf } from './output/table.js';
import { segment } from './page-options.js';
import { type RemoteOptions, remoteCommand, show } from './remote-command.js';

interface PutOptions extends RemoteOptions {
  readonly expires: string;
  readonly source?: string;
  readonly venue?: string;
}

/** `stakeport signals …`: what a model says of markets. */
export function signalsCommand(): Command {
  const signals = new Command('signals').description(
    'say how probable a model of yours holds the outcomes of a market',
  );
  signals.addCommand(putCommand());
  return signals;
}

function putCommand(): Command {
  return remoteCommand(
    'put',
    'say it: in place of what the model said of the market before; saying it again changes nothing',
    'stakeport signals put elo-2 home-away Home=0.57 --expires 2h',
  )
    .argument('<name>', 'the name of the model')
    .argument('<market>', 'the condition id, the slug or the number of the market')
    .argument('<outcome=probability...>', 'one outcome, or both, by the names that the market has')
    .requiredOption(
      '--expires <when>',
      'a moment, or so long from now by this clock: 30m, 2h or 7d',
      momentOrDurationOption,
    )
    .option('--source <text>', 'where it comes from, in your own words')
    .option('--venue <name>', 'where the market trades; the default venue of the server when absent')
    .action((name: string, market: string, said: readonly string[], options: PutOptions) => {
      const { expires: expires_at, source, venue } = options;
      const body = { probabilities: probabilitiesIn(said), expires_at, source, venue };
      const path = `/v1/signals/${segment(name)}/${segment(market)}`;
      return show<WireSignal>(options, { method: 'PUT', path, body }, (signal) => detailsOf(detailsOfSignal(signal)));
    });
}

/** @throws CommandFailed where a pair is none, or an outcome is named twice */
function probabilitiesIn(said: readonly string[]): Readonly<Record<string, string>> {
  const pairs = said.map((text) => /^(.+)=([^=]+)$/s.exec(text));
  const named = pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? '', pair[2] ?? ''] as const]));
  const names = new Set(named.map(([name]) => name));
  if (names.size === said.length) return Object.fromEntries(named);
  const words = 'Say each outcome once, with its probability, such as Home=0.57. Nothing was sent.';
  throw new CommandFailed(words, EXIT.usage);
}

function detailsOfSignal({ name, market_id: market, probabilities, ...signal }: WireSignal): readonly Detail[] {
  return [
    ['model', name],
    ['market', market],
    ...Object.entries(probabilities),
    ['expires', momentShown(signal.expires_at)],
    ['source', signal.source],
    ['put', momentShown(signal.updated_at)],
  ];
}
