import type { Command } from 'commander';
import { approvalsCommand, approveCommand, rejectCommand } from './approvals.js';
import { cancelCommand } from './cancel.js';
import { eventsCommand } from './events.js';
import { exportCommand } from './export.js';
import { limitsCommand } from './limits.js';
import { loginCommands } from './login.js';
import { bookCommand, marketCommand, marketsCommand } from './markets.js';
import { orderCommand, ordersCommand } from './orders.js';
import { paperCommand } from './paper.js';
import { portfolioCommand, positionsCommand } from './portfolio.js';
import { resultsCommand } from './results.js';
import { signalsCommand } from './signals.js';
import { alarmsCommand, historyCommand, statusCommand } from './status.js';
import { decisionsCommand, evaluateCommand, strategiesCommand } from './strategies.js';
import { strategyCommand } from './strategy-changes.js';
import type { Terminal } from './terminal.js';
import { tradeCommands } from './trade.js';
import { tradingCommands } from './trading-state.js';
import { webhooksCommand } from './webhooks/webhooks.js';

/** Every command that talks to a server, in the order of a day. */
export function remoteCommands(terminal: Terminal): readonly Command[] {
  return [
    ...loginCommands(terminal),
    marketsCommand(),
    marketCommand(),
    bookCommand(),
    ...tradeCommands(terminal),
    ordersCommand(),
    orderCommand(),
    cancelCommand(terminal),
    statusCommand(),
    portfolioCommand(),
    positionsCommand(),
    historyCommand(),
    alarmsCommand(),
    resultsCommand(),
    exportCommand(),
    strategiesCommand(),
    strategyCommand(terminal),
    decisionsCommand(),
    evaluateCommand(),
    approvalsCommand(),
    approveCommand(terminal),
    rejectCommand(terminal),
    signalsCommand(terminal),
    limitsCommand(terminal),
    ...tradingCommands(terminal),
    paperCommand(terminal),
    eventsCommand(),
    webhooksCommand(terminal),
  ];
}
