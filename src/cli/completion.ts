import { Argument, Command } from 'commander';
import { GROUP_HEADS } from './group-heads.js';
import { print } from './print.js';

/** A word that may follow, and what it means. */
interface Word {
  readonly text: string;
  readonly means: string;
}

/** A command with what may follow it. */
interface Node {
  /** Such as `stakeport strategy edit`. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
}

const SHELLS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} as const satisfies Readonly<Record<string, (nodes: readonly Node[]) => string>>;

/** `stakeport completion SHELL`: the script by which a shell completes commands and options. */
export function completionCommand(program: () => Promise<Command>): Command {
  const shells = Object.keys(SHELLS) as readonly (keyof typeof SHELLS)[];
  return new Command('completion')
    .description(GROUP_HEADS.completion.means)
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', `\nFor example:\n${EXAMPLES.map((line) => `  ${line}`).join('\n')}`)
    .action(async (shell: keyof typeof SHELLS) => print(SHELLS[shell](nodesOf(await program()))));
}

const EXAMPLES = [
  'stakeport completion bash > ~/.local/share/bash-completion/completions/stakeport',
  'stakeport completion zsh > ~/.zfunc/_stakeport',
  'stakeport completion fish > ~/.config/fish/completions/stakeport.fish',
];

function nodesOf(command: Command, parent = ''): readonly Node[] {
  const path = `${parent} ${command.name()}`.trim();
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  // A group that shows something by itself takes the options of that too.
  const own = commands.length === 0 || parent === '' ? help.visibleOptions(command) : optionsOfDefault(command);
  const node: Node = {
    path,
    commands: commands.map((one) => ({ text: one.name(), means: help.subcommandDescription(one) })),
    options: own.map(({ long, short, description }) => ({ text: long ?? short ?? '', means: description })),
  };
  return [node, ...commands.filter((one) => one.name() !== 'help').flatMap((one) => nodesOf(one, path))];
}

function optionsOfDefault(command: Command) {
  const help = command.createHelp();
  const first = command.commands.find((one) => ['list', 'show'].includes(one.name()));
  return first === undefined ? help.visibleOptions(command) : help.visibleOptions(first);
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const wordsOf = ({ commands, options }: Node): readonly Word[] => [...commands, ...options];
/** Paths below the first one, by which a script goes on. */
const deeper = (nodes: readonly Node[]): readonly string[] => nodes.slice(1).map(({ path }) => quoted(path));

function bashScript(nodes: readonly Node[]): string {
  const cases = nodes.map((node) => {
    const words = wordsOf(node).map(({ text }) => text);
    return `    ${quoted(node.path)}) words=${quoted(words.join(' '))} ;;`;
  });
  return `_stakeport() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" at=stakeport word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${deeper(nodes).join('|')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _stakeport stakeport`;
}

function zshScript(nodes: readonly Node[]): string {
  const shown = ({ text, means }: Word) => quoted(`${text.replaceAll(':', '\\:')}:${means}`);
  const cases = nodes.map((node) => `    (${quoted(node.path)}) found=(${wordsOf(node).map(shown).join(' ')}) ;;`);
  return `#compdef stakeport
_stakeport() {
  local at=stakeport word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${deeper(nodes).join('|')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  _describe stakeport found || _files
}
if [[ $funcstack[1] == _stakeport ]]; then _stakeport "$@"; else compdef _stakeport stakeport; fi`;
}

function fishScript(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, commands, options }) => {
    const at = `complete -c stakeport -n ${quoted(`__stakeport_at "${path}"`)}`;
    return [
      ...commands.map(({ text, means }) => `${at} -f -a ${text} -d ${quoted(means)}`),
      ...options.map(
        ({ text, means }) =>
          `${at} ${text.startsWith('--') ? `-l ${text.slice(2)}` : `-s ${text.slice(1)}`} -d ${quoted(means)}`,
      ),
    ];
  });
  return `function __stakeport_at
  set -l at stakeport
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${deeper(nodes).join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}`;
}
