import { describe, expect, it } from '@jest/globals';
import { readmeExamples, runExample } from '@scriptorium/toolchain/readme';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const examples = readmeExamples(folder);

describe('the examples of the README', () => {
  it('are all found', () => expect(examples.length).toBe(2));

  it.each(examples)('run: %s', (_, code) => {
    expect(runExample(folder, code)).toEqual({ stderr: '', status: 0 });
  });
});
