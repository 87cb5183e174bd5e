import type { Command, Option } from 'commander';

/** The shells for which there is a completion. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

interface Word {
  word: string;
  description: string;
}

/** What can follow behind the words of a command. */
interface Place {
  /** The words of the command, without the name of the program. */
  words: string;
  commands: Word[];
  options: Word[];
}

/** The script that completes the commands and options of `program` in a shell. */
export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program);
  if (shell === 'bash') return bash(places);
  if (shell === 'zsh') return `autoload -U +X bashcompinit && bashcompinit\n${bash(places)}`;
  return fish(places);
}

function placesOf(command: Command, words = ''): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  return [
    {
      words,
      commands: commands.map((one) => ({ word: one.name(), description: one.description() })),
      options: help.visibleOptions(command).map(wordOf),
    },
    ...commands.flatMap((one) => placesOf(one, `${words} ${one.name()}`.trimStart())),
  ];
}

const wordOf = ({ long, short, description }: Option): Word => ({ word: long ?? short ?? '', description });

/**
 * The words before the one that is written are looked up as a command, from the longest on. A word that is no command,
 * such as an argument, does not change it. File names are offered where no word fits.
 */
function bash(places: readonly Place[]): string {
  const cases = places.map(({ words, commands, options }) => {
    const all = [...commands, ...options].map(({ word }) => word).join(' ');
    return `    '${words}') words='${all}'; commands=' ${commands.map(({ word }) => word).join(' ')} ' ;;`;
  });
  return `_scriptorium_words() {
  case "$1" in
${cases.join('\n')}
  esac
}
_scriptorium() {
  local words commands place='' index
  _scriptorium_words ''
  for ((index = 1; index < COMP_CWORD; index++)); do
    [[ "$commands" == *" \${COMP_WORDS[index]} "* ]] || continue
    place="\${place:+$place }\${COMP_WORDS[index]}"
    _scriptorium_words "$place"
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _scriptorium scriptorium
`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ words, commands, options }) => {
    const here = `complete -c scriptorium -n ${quoted(conditionOf(words, commands))}`;
    return [
      ...commands.map(({ word, description }) => `${here} -f -a ${word} -d ${quoted(description)}`),
      ...options.map(({ word, description }) => `${here} ${flag(word)} -d ${quoted(description)}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** The place is that of a command, and no command below it was named. */
function conditionOf(words: string, commands: readonly Word[]): string {
  const seen = words === '' ? [] : words.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const below =
    commands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${commands.map(({ word }) => word).join(' ')}`];
  return [...seen, ...below].join('; and ') || 'true';
}

const flag = (word: string): string => (word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`);

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
