import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { exitCodes } from './exit-codes.js';

const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');

describe('the exit codes', () => {
  it('are those of the table in docs/operations.md, each in one line', () => {
    const [, table = ''] = /\n### Exit codes\n(.*?)\n#/s.exec(page) ?? [];
    const listed = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
    expect(listed).toEqual([...new Set<number>(Object.values(exitCodes))].sort((one, other) => one - other));
  });
});
