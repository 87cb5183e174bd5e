import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
const examples = [...readme.matchAll(/## ([^\n]+)\n(?:(?!\n## )[^])*?```js\n([^]*?)```/g)].map(
  ([, title = '', code = '']): [string, string] => [title, code],
);

describe('the examples of the README', () => {
  it('are found', () => expect(examples.length).toBe(9));

  it.each(examples)('%s', (_, code) => {
    // As a reader would run it: its own process, the built package by its name.
    const source = `import assert from 'node:assert/strict';\n${code}`;
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
      cwd: fileURLToPath(root),
      encoding: 'utf8',
      timeout: 15_000,
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
