import { Command } from 'commander';
import type { Terminal } from '../terminal.js';
import { addCommand, changeCommand, disableCommand, enableCommand, removeCommand, rotateCommand } from './changing.js';
import { ntfyCommand, telegramCommand } from './people.js';
import { deliveriesCommand, listCommand, showCommand } from './reading.js';
import { pingCommand, replayCommand } from './sending.js';

/** `stakeport webhooks …`: where events of the account are sent to. Without a verb it lists them. */
export function webhooksCommand(terminal: Terminal): Command {
  const webhooks = new Command('webhooks').description(
    'have events sent to an address of yours as signed requests, or told to a person',
  );
  webhooks.addCommand(listCommand(), { isDefault: true });
  const others = [
    showCommand(),
    addCommand(),
    telegramCommand(terminal),
    ntfyCommand(terminal),
    changeCommand(terminal),
    pingCommand(),
    rotateCommand(),
    deliveriesCommand(),
    replayCommand(),
    disableCommand(),
    enableCommand(),
    removeCommand(terminal),
  ];
  for (const command of others) webhooks.addCommand(command);
  return webhooks;
}
