const ID = '00000000-0000-4000-8000-000000000000';
const ORDER = ['derby-slug', 'YES', '--usdc', '14', '--price', '0.6', '--yes'];

/** Every command that asks a server, and how it is called. */
export const REMOTE_CALLS: Readonly<Record<string, readonly string[]>> = {
  'stakeport login': ['login', 'http://127.0.0.1:1'],
  'stakeport markets': ['markets', 'derby'],
  'stakeport market': ['market', 'derby-slug'],
  'stakeport book': ['book', 'derby-slug'],
  'stakeport buy': ['buy', ...ORDER],
  'stakeport sell': ['sell', ...ORDER],
  'stakeport orders': ['orders'],
  'stakeport order': ['order', ID],
  'stakeport cancel': ['cancel', ID],
  'stakeport portfolio': ['portfolio'],
  'stakeport results': ['results'],
  'stakeport strategies': ['strategies'],
  'stakeport strategy': ['strategy', ID],
  'stakeport decisions': ['decisions', ID],
  'stakeport evaluate': ['evaluate', ID],
  'stakeport approvals': ['approvals'],
  'stakeport approve': ['approve', ID, '--yes'],
  'stakeport reject': ['reject', ID],
  'stakeport signals put': ['signals', 'put', 'elo', 'derby-slug', 'Home=0.5', '--expires', '2h'],
  'stakeport limits': ['limits'],
  'stakeport halt': ['halt', '--yes'],
  'stakeport reduce': ['reduce', '--yes'],
  'stakeport resume': ['resume', '--yes'],
  'stakeport events': ['events', '--follow'],
  'stakeport webhooks list': ['webhooks'],
  'stakeport webhooks show': ['webhooks', 'show', ID],
  'stakeport webhooks add': ['webhooks', 'add', 'https://example.org/'],
  'stakeport webhooks telegram': ['webhooks', 'telegram', '4711'],
  'stakeport webhooks ntfy': ['webhooks', 'ntfy', 'bets'],
  'stakeport webhooks change': ['webhooks', 'change', ID, '--types', 'all'],
  'stakeport webhooks ping': ['webhooks', 'ping', ID],
  'stakeport webhooks rotate': ['webhooks', 'rotate', ID],
  'stakeport webhooks deliveries': ['webhooks', 'deliveries', ID],
  'stakeport webhooks replay': ['webhooks', 'replay', ID, '--after', '0'],
  'stakeport webhooks disable': ['webhooks', 'disable', ID],
  'stakeport webhooks enable': ['webhooks', 'enable', ID],
  'stakeport webhooks remove': ['webhooks', 'remove', ID, '--yes'],
};

/** Commands that look at files of their user alone. */
export const LOCAL_CALLS: readonly string[] = ['stakeport backtest compare', 'stakeport logout', 'stakeport profiles'];
