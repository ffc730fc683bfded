/** Shell completion scripts, generated from the same descriptions as the help. */
import { quoted } from '../text/command-line.ts';
import type { FlagDescription, VerbDescription } from './help.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script that a shell sources to complete verbs, flags, and the values that are known. */
export function completionScript(shell: Shell, verbs: readonly VerbDescription[]): string {
  return { bash, zsh, fish }[shell](verbs);
}

/** `-o|--output`: both names of a flag as a pattern of the shell's `case`. */
const names = (flag: FlagDescription): string[] => [...(flag.short ? [flag.short] : []), flag.long];

/** The first sentence is what fits beside a flag in a menu. */
const brief = (text: string): string => text.replace(/ \[.*$/s, '');

function bash(verbs: readonly VerbDescription[]): string {
  const cases = verbs.map((verb) => {
    const known = verb.flags.filter((flag) => flag.choices);
    const values = known.map((flag) => `        ${names(flag).join('|')}) words="${flag.choices!.join(' ')}" ;;`);
    const files = verb.flags.filter((flag) => flag.value && !flag.choices).flatMap(names);
    if (files.length) values.push(`        ${files.join('|')}) COMPREPLY=($(compgen -f -- "$word")); return ;;`);
    const others = `        *) words="${[...verb.flags.flatMap(names), ...(verb.choices ?? [])].join(' ')}" ;;`;
    return `    ${verb.name})\n      case "$before" in\n${[...values, others].join('\n')}\n      esac ;;`;
  });
  return `# bash completion for pliant: put this line into ~/.bashrc
#   source <(pliant completion bash)
_pliant() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${verbs.map((verb) => verb.name).join(' ')}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [ "$COMP_CWORD" -gt 1 ] && [ "\${#COMPREPLY[@]}" -eq 0 ]; then COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _pliant pliant
`;
}

function zsh(verbs: readonly VerbDescription[]): string {
  const argument = (flag: FlagDescription): string => {
    const value = flag.value ? `:${flag.value}:${flag.choices ? `(${flag.choices.join(' ')})` : '_files'}` : '';
    const text = brief(flag.description).replace(/[[\]:]/g, '\\$&');
    const together = flag.short ? `(${names(flag).join(' ')})` : '';
    return names(flag)
      .map((name) => `        ${quoted(`${together}${name}[${text}]${value}`)}`)
      .join(' \\\n');
  };
  const cases = verbs.map((verb) => {
    const values = verb.choices ? `(${verb.choices.join(' ')})` : '_files';
    return `    ${verb.name})\n      _arguments \\\n${verb.flags.map(argument).join(' \\\n')} \\\n        '*:argument:${values}' ;;`;
  });
  return `#compdef pliant
# zsh completion for pliant: save this as _pliant in a folder of $fpath
#   pliant completion zsh > ~/.zfunc/_pliant
_pliant() {
  local -a verbs
  verbs=(
${verbs.map((verb) => `    ${quoted(`${verb.name}:${brief(verb.description)}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  local verb="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$verb" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_pliant" ]; then _pliant "$@"; else compdef _pliant pliant; fi
`;
}

function fish(verbs: readonly VerbDescription[]): string {
  const lines = verbs.flatMap((verb) => {
    const here = `complete -c pliant -n '__fish_seen_subcommand_from ${verb.name}'`;
    const flags = verb.flags.map((flag) => {
      const short = flag.short ? ` -s ${flag.short.slice(1)}` : '';
      const value = flag.choices ? ` -x -a ${quoted(flag.choices.join(' '))}` : flag.value ? ' -r' : '';
      return `${here}${short} -l ${flag.long.slice(2)}${value} -d ${quoted(brief(flag.description))}`;
    });
    const values = verb.choices ? [`${here} -f -a ${quoted(verb.choices.join(' '))}`] : [];
    return [
      `complete -c pliant -n __fish_use_subcommand -f -a ${verb.name} -d ${quoted(brief(verb.description))}`,
      ...values,
      ...flags,
    ];
  });
  return `# fish completion for pliant
#   pliant completion fish > ~/.config/fish/completions/pliant.fish
${lines.join('\n')}
`;
}
