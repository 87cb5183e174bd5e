import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { openApiDocument, operationList } from '@scriptorium/contracts';
import { matching } from './values.js';

const document = openApiDocument(operationList, { serverUrl: 'https://docs.example.org', version: '1' });
const patterns = new Set(
  [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
    (found) => JSON.parse(found[1] as string) as string,
  ),
);

describe('texts of patterns', () => {
  it.each([...patterns])('are written for %s', (pattern) => {
    for (const text of fc.sample(matching(pattern), { seed: 1, numRuns: 3 })) expect(text).toMatch(new RegExp(pattern));
  });
});
