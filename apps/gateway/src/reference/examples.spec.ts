import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { openApiDocument, operationList, type OperationExamples } from '@scriptorium/contracts';

const file = new URL('../../examples.json', import.meta.url);
const examples = JSON.parse(readFileSync(file, 'utf8')) as OperationExamples;
const operation = (id: string) => operationList.find((op) => op.id === id);

describe('the examples of operations', () => {
  it.each(Object.entries(examples))('of %s are as its schemas say', (id, { request, answer }) => {
    const op = operation(id);
    if (request !== undefined) expect(op?.body?.safeParse(request)).toMatchObject({ success: true });
    if (answer !== undefined) expect(op?.response?.safeParse(answer)).toMatchObject({ success: true });
  });

  it('hold no secret', () => {
    const shown = operationList.flatMap(({ id, secret }) => {
      const example = JSON.stringify(examples[id] ?? {});
      return secret.flatMap((name) =>
        [...example.matchAll(new RegExp(`"${name}":"([^"]*)"`, 'g'))].map(([, text]) => text),
      );
    });
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((text) => !/^(?:…|https:\/\/[\w.]+\/hidden)$/.test(text ?? ''))).toEqual([]);
    expect(JSON.stringify(examples)).not.toMatch(/scr_pat_|PRIVATE KEY|"password":"(?!seven quiet lamps)/);
  });

  it('stand in the document, which stays small enough to be read at once', () => {
    const document = openApiDocument(operationList, { serverUrl: 'https://docs.test', version: '1.0.0', examples });
    const answer = '/paths/~1v1~1spaces~1{spaceId}/get/responses/200/content/application~1json/examples/Space';
    expect(at(document, answer)).toEqual({ $ref: '#/components/examples/Space' });
    expect(at(document, '/components/examples/Space/value')).toMatchObject({ object: 'space' });
    expect(JSON.stringify(document).length).toBeLessThanOrEqual(1_000_000);
  });
});

function at(document: unknown, pointer: string): unknown {
  const names = pointer.slice(1).split('/');
  return names.reduce((node, name) => (node as Record<string, unknown>)[name.replaceAll('~1', '/')], document);
}
