import { describe, expect, it } from '@jest/globals';
import { integrationBounds } from '@scriptorium/contracts';
import { computedAnswer } from './computed-answer.js';

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const pages = (answer: unknown): unknown => JSON.parse(computedAnswer('content_compute_revision', bytes(answer)));
const document = (answer: unknown): unknown => JSON.parse(computedAnswer('content_compute_document', bytes(answer)));

describe('what a script has computed', () => {
  it('has the pages and the document that are known, without what is not', () => {
    const link = { type: 'link', title: 'Out', target: { kind: 'url', url: 'https://a.example' } };
    const page = { type: 'document', title: 'A', computed: { type: 'integration:n:s', props: { id: 1 } } };
    const answer = {
      pages: [
        { ...page, more: 1, pages: [link] },
        { type: 'group', title: 'B', pages: [page] },
      ],
    };
    expect(pages(answer)).toEqual({
      pages: [
        { ...page, pages: [link] },
        { type: 'group', title: 'B', pages: [page] },
      ],
    });
    expect(pages({})).toEqual({ pages: [] });
    const text = { object: 'document', data: {}, nodes: [] };
    expect(document({ document: text, more: 1 })).toEqual({ document: text });
  });

  it('is refused where it is malformed, and the refusal names the place', () => {
    const refusal = (make: () => unknown): string => {
      try {
        make();
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const nested = { pages: [{ type: 'document', title: 'A', pages: [{ type: 'document', title: '' }] }] };
    expect(refusal(() => pages(nested))).toContain('pages.0.pages.0.title');
    expect(refusal(() => pages({ pages: [{ type: 'computed', title: 'A' }] }))).toContain('pages.0.type');
    expect(refusal(() => pages({ files: [{ name: 'a' }] }))).toContain('files: Files cannot be computed');
    expect(refusal(() => pages('[1'))).toContain('it is no JSON');
    expect(refusal(() => document({ document: {} }))).toContain('document.object');
    const long = 'x'.repeat(integrationBounds.computedBytes);
    expect(refusal(() => document({ document: { object: 'document', long } }))).toContain('bytes');
    const deep = `{"pages":${'[{"type":"group","title":"A","pages":'.repeat(40_000)}[]${'}]'.repeat(40_000)}}`;
    expect(refusal(() => pages(deep))).toContain('deeply');
  });
});
