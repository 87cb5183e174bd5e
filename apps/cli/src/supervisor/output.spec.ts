import { describe, expect, it } from '@jest/globals';
import { splitLines } from './lines.js';
import { createOutput } from './output.js';

function outputOf(readable: boolean) {
  const written: string[] = [];
  return { output: createOutput({ write: (text) => void written.push(text), readable }), written };
}

describe('the output', () => {
  it('has the name of the process before readable lines', () => {
    const { output, written } = outputOf(true);
    output.child('identity', 'ready');
    output.info('stopping');
    output.child('identity', '  ');
    expect(written).toEqual(['identity    | ready\n', 'scriptorium | stopping\n']);
  });

  it('is JSON line by line when it is not a terminal', () => {
    const { output, written } = outputOf(false);
    output.child('gateway', '{"level":30,"msg":"ready"}');
    output.child('gateway', '{not json');
    output.child('gateway', 'Error: out of luck');
    output.warn('gateway ended');
    expect(written[0]).toBe('{"level":30,"msg":"ready"}\n');
    const parsed = written.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(parsed.map(({ level, name, msg }) => [level, name, msg])).toEqual([
      [30, 'gateway', '{not json'],
      [30, 'gateway', 'Error: out of luck'],
      [40, 'scriptorium', 'gateway ended'],
    ]);
  });
});

describe('splitLines', () => {
  it('joins pieces, and returns the rest at the end', () => {
    const lines: string[] = [];
    const split = splitLines((line) => lines.push(line));
    for (const piece of ['a', 'b\nc\r\n', '\nd']) split.push(piece);
    split.end();
    expect(lines).toEqual(['ab', 'c', '', 'd']);
  });

  it('cuts a line that does not end', () => {
    const lines: string[] = [];
    const split = splitLines((line) => lines.push(line));
    split.push('x'.repeat(150_000));
    split.end();
    expect(lines.map(({ length }) => length)).toEqual([65_536, 65_536, 18_928]);
  });
});
