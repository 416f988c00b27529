import { CommanderError } from 'commander';
import { afterEach, expect, it } from 'vitest';
import { createProgram, listedCommands } from '../../src/cli/cli.js';

const write = process.stderr.write;
afterEach(() => {
  process.stderr.write = write;
});

async function said(...args: string[]): Promise<string> {
  let words = '';
  process.stderr.write = (text: string | Uint8Array) => {
    words += text;
    return true;
  };
  const program = await createProgram();
  await expect(program.parseAsync(args, { from: 'user' })).rejects.toBeInstanceOf(CommanderError);
  return words;
}

it.each([
  [['doctr'], 'Did you mean doctor?'],
  [['accounts', 'hlat', 'alice'], 'Did you mean halt?'],
  [['accounts', 'halt', 'alice', '--reson', 'x'], 'Did you mean --reason?'],
  [['halt', 'alice'], 'Did you mean stakeport accounts halt?'],
  [['halt-all'], 'Did you mean stakeport accounts halt-all?'],
  [['haltall'], 'Did you mean stakeport accounts halt-all?'],
  [
    ['list'],
    'Did you mean stakeport keys list or stakeport accounts list or stakeport signals list or stakeport limits list or stakeport webhooks list?',
  ],
  [['webhooks', 'nope'], 'The commands of stakeport webhooks are list, show, add, '],
  [['buy', 'home-away', 'Home', '--stake', '14'], 'Did you mean --usdc?'],
  [['chek'], 'Did you mean stakeport tape check?'],
  [[''], 'The commands are serve, demo, record, audit, '],
])('%j is reported in one line with a suggestion', async (args, meant) => {
  const words = await said(...args);
  expect(words).toContain(`(${meant}`);
  expect(words).toMatch(/^error: .* See stakeport.* --help\n$/);
});

it('an amount that is refused for its size names the limit', async () => {
  expect(await said('accounts', 'deposit', 'alice', '1000000000')).toContain('above 0 and below 1000000000');
});

it('the list of all commands says of each what the command says', async () => {
  expect((await listedCommands()).helpInformation()).toBe((await createProgram()).helpInformation());
});
