import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { createProgram } from '../program.js';
import { completionScript } from './completion.js';

const program = createProgram(
  () => undefined,
  () => undefined,
);

/** What bash offers behind these words. */
function offered(...words: string[]): string[] {
  const script = `${completionScript(program, 'bash')}
COMP_WORDS=(scriptorium "$@"); COMP_CWORD=$#; _scriptorium; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

describe('the completion of bash', () => {
  it('offers all commands of the table, and the options of all', () => {
    expect(offered('')).toEqual(expect.arrayContaining(program.commands.map((command) => command.name())));
    expect(offered('re')).toEqual(['rebuild', 'restore']);
  });

  it.each([
    [
      ['openapi', ''],
      ['publish', 'check'],
    ],
    [['openapi', 'publish', '--v'], ['--visibility']],
    [['openapi', 'publish', 'orders', 'file.yaml', '--w'], ['--wait']],
    [['conversations', 'clusters', 'show', '--u'], ['--url']],
    [['backup', '--h'], ['--help']],
  ])('behind %j offers %j', (words, expected) => {
    expect(offered(...words)).toEqual(expect.arrayContaining(expected));
  });

  it('offers nothing of other commands', () => {
    expect(offered('backup', '--u')).toEqual(['']);
  });
});

describe('the completion of zsh and fish', () => {
  it('is that of bash in zsh', () => {
    expect(completionScript(program, 'zsh')).toMatch(/^autoload -U \+X bashcompinit && bashcompinit\n/);
    expect(completionScript(program, 'zsh')).toContain(completionScript(program, 'bash'));
  });

  it('has a line for each command and option in fish, with quoted descriptions', () => {
    const script = completionScript(program, 'fish');
    expect(script).toMatch(
      /^complete -c scriptorium -n '__fish_seen_subcommand_from openapi; and not .*' -f -a publish /m,
    );
    expect(script).toMatch(/from translations; and __fish_seen_subcommand_from run' -l watch -d 'wait/);
    for (const line of script.trim().split('\n')) expect(line).toMatch(/^complete -c scriptorium -n '.*' .*-d '.*'$/);
  });
});
