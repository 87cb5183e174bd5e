import { describe, expect, it } from '@jest/globals';
import { readmeExamples } from '@scriptorium/toolchain/readme';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { compileFunction } from 'node:vm';
import * as library from './index.js';

const blocks = readmeExamples(fileURLToPath(new URL('..', import.meta.url))).map(([, code]) => code);

const IMPORT = /^import \{ (?<names>[^}]+) \} from '@scriptorium\/expressions';$/gmu;
const CLAIM = /^(?<code>.+); \/\/ => (?<expected>.+)$/gmu;

/** Plain copies: what an example compares may come from another realm. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

describe('the examples of the README', () => {
  it.each(blocks.map((code) => [code.split('\n').find((line) => line.includes('// =>')) ?? code, code]))(
    '%s',
    (_title, code) => {
      let checks = 0;
      const check = (actual: unknown, expected: unknown): void => {
        checks++;
        if (!isDeepStrictEqual(plain(actual), plain(expected))) expect(plain(actual)).toEqual(plain(expected));
      };
      const body = code.replace(IMPORT, 'const { $<names> } = library;').replace(CLAIM, 'check($<code>, $<expected>);');
      expect(body).not.toMatch(/import |\/\/ =>/u);
      (compileFunction(body, ['library', 'check']) as (...values: unknown[]) => void)(library, check);
      expect(checks).toBeGreaterThan(0);
    },
  );

  it('are all there', () => expect(blocks.length).toBe(6));
});
