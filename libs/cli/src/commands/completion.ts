import { basename } from 'node:path';
import type { Command } from 'commander';
import { wrongUsage } from '../failure.ts';
import { CARDS } from '../pay.ts';
import { RECIPES, SENT_AS_TEST } from '../recipes.ts';
import type { Common, Shell } from '../shell.ts';
import type { AddCommand } from './command.ts';

export function addCompletion(program: Command, add: AddCommand, shell: Shell): void {
  add<[string | undefined], Common>(program, 'completion', {
    summary: 'print a completion script for bash, zsh or fish',
    arguments: [['[shell]', 'bash, zsh or fish (default: the one that SHELL names)']],
    examples: [
      'eval "$(gp completion bash)"      # in ~/.bashrc',
      'eval "$(gp completion zsh)"       # in ~/.zshrc, after compinit',
      'gp completion fish > ~/.config/fish/completions/gp.fish',
    ],
    run: (_options, named) => {
      const name = named ?? basename(shell.env['SHELL'] ?? '');
      const script = Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name] : undefined;
      if (!script)
        throw wrongUsage(
          name === '' ? 'name the shell: bash, zsh or fish' : `${name} is none of bash, zsh and fish`,
        );
      shell.out(script(listWords(program)));
      return Promise.resolve();
    },
  });
}

/** Options with a list of values that may follow them. */
const VALUES: Readonly<Record<string, readonly string[]>> = { '--card': CARDS };

/** What may follow a line: `payments create` is followed by the options of that command. */
export type Words = ReadonlyMap<string, readonly string[]>;

/** Lists what may follow each command, the empty one included. */
export function listWords(program: Command): Words {
  const words = new Map<string, readonly string[]>();
  const visit = (command: Command, path: readonly string[]): void => {
    const commands = command.commands.map((below) => below.name());
    const options = command.options.flatMap(({ long }) => (long ? [long] : []));
    const values =
      path[0] === 'trigger'
        ? [...Object.keys(RECIPES), ...SENT_AS_TEST]
        : path[0] === 'completion'
          ? Object.keys(SCRIPTS)
          : [];
    words.set(path.join(' '), [...commands, ...values, ...options, '--help']);
    for (const below of command.commands) visit(below, [...path, below.name()]);
  };
  visit(program, []);
  return words;
}

const cases = (words: Words, pattern: (path: string) => string, line: (list: string) => string): string =>
  [...words].map(([path, list]) => `    ${pattern(path)}) ${line(list.join(' '))} ;;`).join('\n');

const valueCases = (line: (list: string) => string): string =>
  Object.entries(VALUES)
    .map(([option, values]) => `    ${option}) ${line(values.join(' '))} ;;`)
    .join('\n');

/** The words of the line so far that are no options name the command. */
function bash(words: Words): string {
  return `_gp() {
  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) case " ${knownPaths(words)} " in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac ;; esac
  done
  local list=""
  case "$path" in
${cases(
  words,
  (path) => `"${path.replaceAll(' ', '/')}"`,
  (list) => `list="${list}"`,
)}
  esac
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${valueCases((list) => `list="${list}"`)}
  esac
  COMPREPLY=($(compgen -W "$list" -- "\${COMP_WORDS[COMP_CWORD]}"))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then compopt -o default 2>/dev/null; fi
}
complete -F _gp gp
`;
}

function zsh(words: Words): string {
  return `#compdef gp
_gp() {
  local path="" word
  local -a list
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in -*) ;; *) case " ${knownPaths(words)} " in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac ;; esac
  done
  case "$path" in
${cases(
  words,
  (path) => `"${path.replaceAll(' ', '/')}"`,
  (list) => `list=(${list})`,
)}
  esac
  case "\${words[CURRENT-1]}" in
${valueCases((list) => `list=(${list})`)}
  esac
  compadd -- $list
}
compdef _gp gp
`;
}

function fish(words: Words): string {
  const lines = [...words].flatMap(([path, list]) => {
    const parts = path === '' ? [] : path.split(' ');
    const condition = path === '' ? '__fish_use_subcommand' : `__gp_at ${parts.join(' ')}`;
    return list.map((word) => {
      const values = VALUES[word];
      if (!word.startsWith('--')) return `complete -c gp -f -n '${condition}' -a ${word}`;
      const option = `complete -c gp -n '${condition}' -l ${word.slice(2)}`;
      return values ? `${option} -x -a '${values.join(' ')}'` : option;
    });
  });
  return `function __gp_at
  set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
  test (count $words) -ge (count $argv); and test "$words[1..$(count $argv)]" = "$argv"
end
${lines.join('\n')}
`;
}

const knownPaths = (words: Words): string =>
  [...words.keys()]
    .map((path) => path.replaceAll(' ', '/'))
    .join(' ')
    .trim();

const SCRIPTS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish };
