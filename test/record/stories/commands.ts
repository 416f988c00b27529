import { BEGAN, command, keptCommand } from '../program.js';
import { shown, type Transcript } from '../transcript.js';
import { type Fixture, id } from './fixture.js';

type Json = Readonly<Record<string, unknown>>;
type Variables = Readonly<Record<string, string>>;

/** Every so many commands one is a process of its own, as each is for who types it; so are those with an input. */
const ALONE_EACH = 8;

/** Runs commands with one environment, and writes down what they said and how they ended. */
export class Terminal {
  #runs = 0;

  constructor(
    private readonly transcript: Transcript,
    private readonly env: Variables,
    private readonly settled: () => Promise<void>,
  ) {}

  /** The same terminal with other variables. */
  with(env: Variables): Terminal {
    return new Terminal(this.transcript, { ...this.env, ...env }, this.settled);
  }

  /** Returns what it wrote, read as JSON; an empty object where that is none. `hear` is given it before it is written down. */
  async run(args: readonly string[], input = '', hear: (json: Json) => void = () => {}): Promise<Json> {
    this.#runs += 1;
    // Each a second after the one before, so that what is listed by age has one order.
    const run = { env: this.env, input, seed: `command ${this.#runs}`, at: BEGAN - 3_600_000 + this.#runs * 1000 };
    await this.settled();
    const isAlone = input !== '' || this.env['RECORD_TTY'] !== undefined || this.#runs % ALONE_EACH === 1;
    const { code, stdout, stderr } = await (isAlone ? command(args, run) : keptCommand(args, run));
    this.transcript.say(`$ stakeport ${args.map((arg) => (/^[\w.:=/-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ')}`);
    if (input !== '') this.transcript.say(`(typed) ${input.trimEnd()}`);
    const json = jsonIn(stdout);
    if (json !== undefined) hear(json);
    if (stdout !== '') this.transcript.say(json === undefined ? stdout.trimEnd() : shown(json));
    if (stderr !== '') this.transcript.say(stderr.trimEnd().replace(/^/gm, '! '));
    this.transcript.say(`(exit code ${code})\n`);
    return json ?? {};
  }
}

function jsonIn(text: string): Record<string, unknown> | undefined {
  if (!/^[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Each command that talks to a server, as a person and as a program reads it. */
export async function remoteCommands({ transcript, api, server }: Fixture, terminal: Terminal): Promise<void> {
  transcript.step('A person looks at markets and trades from a terminal');
  await terminal.run(['markets']);
  for (const args of [
    ['markets', 'cup', '--json'],
    ['market', 'home-away'],
    ['market', 'home-away', '--json'],
    ['market', 'nowhere'],
  ])
    await terminal.run(args);
  for (const args of [
    ['book', 'home-away'],
    ['book', 'home-away', '--outcome', 'Away', '--json'],
    ['book', 'home-away', '--outcome', 'Nobody'],
  ])
    await terminal.run(args);
  const buy = ['buy', 'home-away', 'Home', '--usdc', '14', '--price', '0.6'];
  await terminal.run(buy);
  await terminal.run([...buy, '--yes']);
  await terminal.run([...buy, '--yes', '--key', 'same', '--json']);
  await terminal.run([...buy, '--yes', '--key', 'same', '--json']);
  await terminal.run([...buy, '--live', '--yes']);
  for (const wrong of [
    ['--usdc', 'much', '--price', '0.6'],
    ['--usdc', '14'],
    ['--usdc', '14', '--price', '2'],
    ['--usdc', '14', '--price', '0.585'],
  ])
    await terminal.run(['buy', 'home-away', 'Home', '--yes', ...wrong]);
  const resting = await terminal.run([...buy.slice(0, 3), '--usdc', '10', '--price', '0.5', '--yes', '--json']);
  await terminal.run(['sell', 'home-away', 'Home', '--usdc', '5.5', '--price', '0.55', '--yes']);
  for (const args of [
    ['orders'],
    ['orders', '--market', 'home-away', '--limit', '2'],
    ['orders', '--status', 'open', '--json'],
    ['orders', '--market', 'nowhere'],
  ])
    await terminal.run(args);
  for (const args of [
    ['order', id(resting)],
    ['order', id(resting), '--events'],
    ['order', id(resting), '--json'],
    ['order', 'x'],
  ])
    await terminal.run(args);
  for (const args of [
    ['cancel', id(resting), '--yes'],
    ['cancel', id(resting), '--yes'],
    ['cancel', '--all', '--yes'],
    ['cancel'],
    ['portfolio'],
    ['portfolio', '--json'],
    ['positions'],
    ['status'],
    ['status', '--json'],
    ['alarms'],
    ['history'],
    ['history', '--equity', '--json'],
    ['sell', 'home-away', 'Home', '--all', '--price', '0.5', '--yes', '--json'],
    ['buy', 'home or away', 'Home', '--shares', '20', '--odds', '1.7', '--yes'],
    ['buy', 'home-away', 'Home', '--usdc', '14', '--max-slippage', '0.01', '--yes'],
    ['results', '--by', 'phase'],
    ['results', '--by', 'kind', '--bootstrap', '--settled-after', '2020-01-01T00:00:00Z'],
    ['results', '--by', 'x', '--json'],
    ['results', '--settled-after', 'yesterday'],
  ])
    await terminal.run(args);

  transcript.step('Strategies, bets that wait, models, limits and halts');
  const rules = {
    match: { text: 'home' },
    outcome: { index: 0 },
    filter: { min_odds: 1.5, max_odds: 3, side: 'BACK' },
    sizing: { method: 'flat', value: 20 },
  };
  const money = { sport: 'soccer', bankroll_cap: 1000, stake_cap: 50 };
  const strategy = id(await api.post('/v1/strategies', { name: 'Asks', ...money, rules, automation: 'approve' }));
  await server.pass(4000);
  for (const args of [
    ['strategies'],
    ['strategy', strategy],
    ['strategy', strategy, '--json'],
    ['evaluate', strategy],
    ['decisions', strategy],
    ['approvals'],
    ['approvals', '--json'],
    ['strategy', 'clone', strategy, '--name', 'Copy'],
    ['strategy', 'pause', strategy],
    ['strategy', 'resume', strategy, '--json'],
  ])
    await terminal.run(args);
  const [waiting] = (await api.get('/v1/approvals?state=waiting'))['data'] as Record<string, unknown>[];
  for (const args of [
    ['approve', id(waiting ?? {}), '--yes'],
    ['approve', id(waiting ?? {}), '--yes'],
    ['reject', 'x', '--yes'],
  ])
    await terminal.run(args);
  const file = JSON.stringify({ name: 'From a file', ...money, rules });
  await terminal.run(['strategy', 'validate', '-'], file);
  const made = id(await terminal.run(['strategy', 'create', '-', '--yes', '--json'], file));
  await terminal.run(['strategy', 'edit', made, '-', '--yes'], JSON.stringify({ stake_cap: 40 }));
  await terminal.run(['strategy', 'archive', made, '--yes']);
  await terminal.run(['paper', 'reset', 'nobody', '--yes']);
  await terminal.run(['signals', 'put', 'model', 'home-away', 'Home=0.6', '--expires', '2026-03-01T18:00:00Z']);
  await terminal.run(['signals', 'list']);
  await terminal.run(['signals', 'delete', 'model', 'home-away', '--json']);
  const written = 'market_id,outcome,probability\nhome-away,Home,0.6\n';
  const importing = ['signals', 'import', '-', '--name', 'model', '--expires', '2026-03-01T18:00:00Z'];
  await terminal.run(importing, written);
  await terminal.run(['signals', 'put', 'model', 'home-away', 'Nobody=0.6', '--expires', '2026-03-01T18:00:00Z']);
  for (const args of [
    ['limits'],
    ['limits', '--json'],
    ['limits', 'set', 'open_orders=20', '--yes'],
    ['limits', 'set', 'open_orders=many', '--yes'],
    ['halt', '--yes'],
    ['reduce', '--yes'],
    ['halt', '--reason', 'a doubt', '--yes'],
    ['resume', '--yes'],
    ['resume', '--reason', 'well', '--yes'],
  ])
    await terminal.run(args);
  for (const args of [
    ['events'],
    ['events', '--limit', '3', '--json'],
    ['events', '--types', 'order.fill'],
    ['nothing'],
    ['orders', '--nothing'],
    ['order'],
  ])
    await terminal.run(args);

  transcript.step('A person is shown an order before it is placed, and one that was placed before is named so');
  const person = terminal.with({ RECORD_TTY: 'yes', TERM: 'dumb' });
  await person.run(buy, 'y\n');
  await person.run(buy, 'n\n');
  await person.run([...buy, '--live'], 'y\n');
  await terminal.run([...buy, '--yes', '--key', 'same']);
}
