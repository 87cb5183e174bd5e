import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import * as richText from './index.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/## ([^\n]+)\n(?:(?!\n## )[^])*?```js\n([^]*?)```/g)].map(([, title = '', code = '']): [string, string] => [title, code]);

describe('the examples of the README', () => {
  it('are found', () => expect(examples.length).toBe(6));

  it.each(examples)('%s', (_, code) => {
    // The import line of the example becomes a parameter; the rest runs as it is written.
    const [, names = ''] = /import \{([^}]*)\} from '@scriptorium\/rich-text';/.exec(code) ?? [];
    const body = code.replace(/^import .*$/m, `const {${names}} = richText;`);
    const run = compileFunction(body, ['richText', 'assert']) as (library: typeof richText, check: typeof assert) => void;
    expect(() => run(richText, assert)).not.toThrow();
  });
});
