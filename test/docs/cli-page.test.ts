import { expect, it } from 'vitest';
import { remoteCommands } from '../../src/cli/api/commands.js';
import { processTerminal } from '../../src/cli/api/terminal.js';
import { commandsOf } from '../../src/cli/cli.js';
import { PAGES } from '../support/pages.js';

type Command = ReturnType<typeof commandsOf>[number];

const leaves = remoteCommands(processTerminal)
  .flatMap(commandsOf)
  .filter(({ commands }) => commands.length === 0);

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

it('docs/cli.md lists exactly the commands of a server, with their arguments', () => {
  const listed = [...(PAGES.get('docs/cli.md') ?? '').matchAll(/^\| `stakeport ([^`]+)` \|/gm)].map(
    ([, usage]) => usage,
  );
  const usages = leaves.map((command) => {
    const usage = command.registeredArguments.map((one) => {
      const name = `${one.name()}${one.variadic ? '...' : ''}`;
      return one.required ? `<${name}>` : `[${name}]`;
    });
    return [pathOf(command), ...usage].join(' ');
  });
  expect(listed).toEqual(usages);
});

it("each command's help has an example that begins with its name", () => {
  for (const command of leaves) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    expect(help, pathOf(command)).toMatch(new RegExp(`For example:\\n {2}stakeport ${pathOf(command)}\\b`));
  }
});

it('the keys that documents make may resume what they may halt', () => {
  const made = [...PAGES].flatMap(([, text]) =>
    [...text.matchAll(/keys create .*--scopes (\S+)/g)].map(([, some]) => some),
  );
  const halting = made.map((scopes) => scopes?.split(',') ?? []).filter((scopes) => scopes.includes('orders:cancel'));
  expect(halting.length).toBeGreaterThanOrEqual(3);
  for (const scopes of halting) expect(scopes).toContain('risk:write');
});
