import { execFileSync } from 'node:child_process';
import { basename, relative, sep } from 'node:path';
import { repositoryFile } from '../processes/paths.js';

/** A proof that takes minutes, as a command. */
export interface Proof {
  name: string;
  command: readonly string[];
  /** Folder, from the top of the repository. */
  within: string;
}

const jest = ['node', '--experimental-vm-modules', '--no-warnings', repositoryFile('node_modules/jest/bin/jest.js')];

/** Runs with generated inputs that are new each time. Their seed is the last line of their output. */
const longRuns: readonly Proof[] = [
  ...['soak', 'fuzz', 'rolling', 'rolling:update', 'rolling:partition'].map((script) => npm(script, '.')),
  ...['packages/expressions', 'packages/rich-text', 'packages/tree'].map((folder) => npm('test:fuzz', folder)),
  ...['apps/identity', 'apps/collaboration'].map((folder) => npm('test:model', folder)),
  npm('soak', 'packages/embedded'),
];

function npm(script: string, within: string): Proof {
  const name = within === '.' ? script : `${basename(within)} ${script}`;
  return { name, command: ['npm', 'run', '--silent', script], within };
}

/** Specs that have a short form, each in full length, and the long runs. */
export function findProofs(): Proof[] {
  const found = execFileSync(
    'git',
    ['grep', '-lE', "'@scriptorium/toolchain/(proof|generated)'|readAuthorizationTable", '--', '*.spec.ts'],
    {
      cwd: repositoryFile('.'),
      encoding: 'utf8',
    },
  );
  const specs = found
    .trim()
    .split('\n')
    .map((path) => {
      const parts = path.split('/');
      const within = parts.slice(0, parts.indexOf('src')).join(sep);
      const spec = relative(within, path);
      return {
        name: `${basename(within)} ${basename(spec).replace(/(\.\w+)?\.spec\.ts$/, '')}`,
        command: [...jest, spec],
        within,
      };
    });
  return [...specs, ...longRuns];
}
