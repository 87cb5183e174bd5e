import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { compile } from '@scriptorium/openapi';
import { readSpecification } from './specification.js';

describe('the specification of the demo', () => {
  it('is read without problems, with operations in four tags and a webhook, and nothing internal', async () => {
    const text = await readSpecification(fileURLToPath(new URL('../../../..', import.meta.url)));
    const compiled = await compile(text);
    if (!compiled.isReadable) throw new Error('It cannot be read');
    expect(compiled.problems.items).toEqual([]);
    const outline = JSON.parse(Buffer.from(compiled.outline.bytes).toString()) as {
      tags: { title: string }[];
      operations: unknown[];
      webhooks: unknown[];
    };
    expect(outline.tags.map(({ title }) => title)).toEqual(['Towers', 'Lamps', 'Weather', 'Log']);
    expect([outline.operations.length, outline.webhooks.length]).toEqual([15, 1]);
    expect(text).toMatch(/x-internal.*Calibrate/s);
    expect(Buffer.from(compiled.document.bytes).toString()).not.toMatch(/calibrat/i);
  });
});
