import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildSpec } from '../supervisor/child.js';
import { createOutput, type Output } from '../supervisor/output.js';

/**
 * A child that is controlled by its environment: `STARTS_OK` (the number of the first start at which it becomes ready),
 * `STUBBORN` (ignores SIGTERM). Every start and end is a line of the journal.
 */
const script = `
import { appendFileSync, readFileSync } from 'node:fs';
const { NAME, JOURNAL, STARTS_OK, STUBBORN } = process.env;
const note = (what) => appendFileSync(JOURNAL, NAME + ' ' + what + '\\n');
note('started ' + process.pid);
const starts = readFileSync(JOURNAL, 'utf8').split('\\n').filter((line) => line.startsWith(NAME + ' started')).length;
if (starts < Number(STARTS_OK)) {
  console.error('no luck at start ' + starts);
  process.exit(Number(process.env.EXIT_CODE ?? 1));
}
const end = (why) => { note('ended by ' + why); process.exit(0); };
process.on('SIGTERM', () => { if (STUBBORN === undefined) end('SIGTERM'); });
process.on('SIGINT', () => end('SIGINT'));
process.on('disconnect', () => end('disconnect'));
console.log(JSON.stringify({ level: 30, msg: 'hello' }));
process.send({ ready: true, adminPort: 4000 + starts }, () => note('ready'));
setInterval(() => undefined, 1000);
`;

export interface Fakes {
  spec(name: string, environment?: Record<string, string>): ChildSpec;
  journal(): string[];
  /** Number of journal lines with `what` about a child. */
  count(what: string): number;
}

export function fakeChildren(folder: string): Fakes {
  const path = join(folder, 'child.mjs');
  const journalPath = join(folder, 'journal');
  writeFileSync(path, script);
  if (!existsSync(journalPath)) appendFileSync(journalPath, '');
  const journal = () =>
    readFileSync(journalPath, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  return {
    spec: (name, environment = {}) => ({
      name,
      script: path,
      environment: () => ({
        PATH: process.env['PATH'],
        NAME: name,
        JOURNAL: journalPath,
        STARTS_OK: '1',
        ...environment,
      }),
    }),
    journal,
    count: (what) => journal().filter((line) => line.startsWith(what)).length,
  };
}

/** An output that stores its lines. */
export function keptOutput(): Output & { lines: string[] } {
  const lines: string[] = [];
  return { ...createOutput({ write: (text) => void lines.push(text.trimEnd()), readable: true }), lines };
}
