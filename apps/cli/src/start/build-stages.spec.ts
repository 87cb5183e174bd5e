import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';

interface Stages {
  line(text: string): void;
  remind(): void;
  end(): void;
}
type BuildStages = (input: { packages: ReadonlySet<string>; say(line: string): void; now(): number }) => Stages;

const file = pathToFileURL(fileURLToPath(new URL('../../bin/build-stages.js', import.meta.url))).href;
const { buildStages } = (await import(file)) as { buildStages: BuildStages };

/** What is said of a build of which `lines` are the names and states of its parts; `remind` asks for a reminder. */
function saidOf(...lines: string[]): string[] {
  const said: string[] = [];
  let now = 0;
  const stages = buildStages({
    packages: new Set(['contracts', 'tree']),
    say: (line) => void said.push(line),
    now: () => now,
  });
  for (const line of lines) {
    now += 1_500;
    if (line === 'remind') stages.remind();
    else
      stages.line(line.includes(':') ? line : line.replace(/^(\S+) (\S+)$/, '@scriptorium/$1:transpile: cache $2, 1'));
  }
  stages.end();
  return said;
}

describe('what a start says of its build', () => {
  it('is one line for each stage, with the time since the beginning', () => {
    const build = ['tree miss', 'contracts miss', 'identity miss', 'content miss'];
    expect(saidOf(...build)).toEqual([
      'building packages (1 of 3)',
      'building services (2 of 3) after 4.5 s',
      'built 4 parts after 6.0 s; starting (3 of 3)',
    ]);
    expect(saidOf('tree miss', 'remind')[1]).toBe('building packages (1 of 3): part 1 after 3.0 s');
  });

  it('leaves out a stage that has nothing to build, and does not go back to one', () => {
    expect(saidOf('tree hit', 'identity miss', 'contracts miss')).toEqual([
      'building services (2 of 3)',
      'built 2 parts after 4.5 s; starting (3 of 3)',
    ]);
  });

  it('is nothing when all is up to date', () => {
    expect(saidOf('• turbo 2.11.9', 'tree hit', 'identity hit', 'remind', 'Tasks: 24 successful')).toEqual([]);
  });
});
