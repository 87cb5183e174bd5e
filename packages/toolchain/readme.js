import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const patienceMs = 15_000;

/** The examples in JavaScript of a package's README, each with the heading above it. */
export function readmeExamples(packageFolder) {
  const examples = [];
  let heading = '';
  for (const [, title, code] of readFileSync(join(packageFolder, 'README.md'), 'utf8').matchAll(
    /^#+ (.+)$|^```js\n([^]*?)^```$/gm,
  )) {
    if (title !== undefined) heading = title;
    else examples.push([heading, code]);
  }
  return examples;
}

/** Runs an example as a reader would: in a process of its own, with the built package by its name. */
export function runExample(packageFolder, code) {
  const source = `import assert from 'node:assert/strict';\n${code}`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    cwd: packageFolder,
    encoding: 'utf8',
    timeout: patienceMs,
  });
  return { stderr, status };
}
