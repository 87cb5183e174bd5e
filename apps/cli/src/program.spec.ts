import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from './program.js';

interface Leaf {
  /** Its words, with those of its groups. */
  path: string;
  command: Command;
}

/** All commands that do something. */
function leaves(command: Command, words: readonly string[] = []): Leaf[] {
  const path = [...words, command.name()];
  const below = command.commands.flatMap((one) => leaves(one, path));
  const isGroup = command.commands.length > 0 && command.name() !== 'clusters';
  return isGroup ? below : [{ path: path.join(' '), command }, ...below];
}

function newProgram(): { program: Command; said: string[] } {
  const said: string[] = [];
  return {
    program: createProgram(
      () => undefined,
      (text) => void said.push(text),
    ),
    said,
  };
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

const all = leaves(newProgram().program);
/** Commands that read nothing of the environment. */
const withoutSettings = new Set(['scriptorium openapi check', 'scriptorium completion']);

describe('the commands', () => {
  it.each(all)(
    '$path has a description, examples that it accepts, and its variables in its help',
    ({ path, command }) => {
      expect(command.description()).not.toBe('');
      const help = helpOf(command);
      const [, examples = ''] = help.split('\nExamples:\n');
      const lines = examples.trim().split('\n');
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        expect(line).toMatch(new RegExp(`\\bscriptorium .*\\b${command.name()}\\b`));
        const options = [...line.matchAll(/ (--[a-z-]+)/g)].map(([, name]) => name);
        expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(options));
      }
      expect(help.includes('\nEnvironment:\n')).toBe(!withoutSettings.has(path));
    },
  );

  it.each(all)('$path that reads the address of an installation has the options for it', ({ command }) => {
    const long = command.options.map((option) => option.long);
    const asks = helpOf(command).includes('SCRIPTORIUM_URL');
    for (const name of ['--url', '--token']) expect(long.includes(name)).toBe(asks);
    if (asks) expect(long).toContain('--json');
    if (asks) expect(helpOf(command)).toMatch(/SCRIPTORIUM_TOKEN;\s+the\s+variable\s+is\s+safer/);
  });

  it('never repeat a token in what they say of wrong arguments', () => {
    const { program, said } = newProgram();
    const silent = (command: Command): void => {
      command.exitOverride();
      command.commands.forEach(silent);
    };
    silent(program);
    expect(() => program.parse(['node', 'scriptorium', 'demo', '--token', 'abc', '--unknown'])).toThrow();
    expect(said.join('')).toContain('--unknown');
    expect(said.join('')).not.toContain('abc');
  });
});
