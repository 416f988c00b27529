import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { stakeport } from './api/remote.js';

const script = async (shell: string) => (await stakeport('completion', shell)).out;

/** What bash offers for the last of these words. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const typed = ['stakeport', ...words].map((word) => `'${word}'`).join(' ');
  const asks = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _stakeport; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const said = execFileSync('bash', ['-c', `${await script('bash')}\n${asks}`], { encoding: 'utf8' });
  return said.split('\n').filter((word) => word !== '');
}

describe('Completion by bash', () => {
  it('offers commands, those of a group, and options', async () => {
    expect(await offered('strat')).toEqual(['strategies', 'strategy']);
    expect(await offered('strategy', 'cl')).toEqual(['clone']);
    expect(await offered('sell', 'home-away', 'Home', '--max')).toEqual(['--max-slippage']);
    expect(await offered('webhooks', 'add', 'https://example.org', '--ty')).toEqual(['--types']);
  });
});

describe('Completion by zsh and fish', () => {
  it('names every command with what it does', async () => {
    expect(await script('zsh')).toContain("'buy:buy shares of an outcome");
    expect(await script('fish')).toContain(`-n '__stakeport_at "stakeport strategy"' -f -a clone -d 'make a strategy`);
  });

  it('is refused for another shell', async () => {
    expect(await stakeport('completion', 'tcsh')).toMatchObject({ code: 64 });
  });
});
