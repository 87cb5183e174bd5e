import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createWorkerPool, type WorkerPool } from '@scriptorium/platform';
import { parseMarkdown } from '@scriptorium/rich-text';
import { LRUCache } from 'lru-cache';
import type { ContentTree } from '../../../versions/index.js';
import { markdownOf } from './markdown-of.process.js';

const nothing: ContentTree = {
  pool: 'p',
  get: () => Promise.resolve(undefined),
  getMany: () => Promise.resolve(new Map()),
  range: () => Promise.resolve([]),
  count: () => Promise.resolve(0),
  object: () => Promise.resolve({}),
  objects: () => Promise.resolve(new Map()),
};
const operations = (count: number) =>
  parseMarkdown(
    Array.from(
      { length: count },
      (_, place) => `{% openapi-operation spec="s" path="/${place}" method="get" %}\n{% endopenapi-operation %}`,
    ).join('\n\n'),
  ).document;

describe('a document as markdown', () => {
  const ended: string[] = [];
  let workers: WorkerPool;
  beforeAll(() => {
    workers = createWorkerPool({ threads: 1, metrics: { state: () => undefined, ended: (task) => ended.push(task) } });
  });
  beforeEach(() => void ended.splice(0));
  afterAll(() => workers.stop());

  const page = (title: string) => ({ page: { id: 'p', title }, refs: 'relative' as const });

  it('is written by a worker once when it has many operations, whoever reads it', async () => {
    const view = { tree: nothing, derived: new LRUCache<string, object>({ maxSize: 10_000 }) };
    const first = await markdownOf({ workers }, view, operations(20), page('Shop'));
    expect(first).toContain('# Shop');
    expect(await markdownOf({ workers }, view, operations(20), page('Shop'))).toBe(first);
    expect(ended).toEqual(['find_linked_pages', 'write_markdown']);
  });

  it('is written anew for another title and another content', async () => {
    const view = { tree: nothing, derived: new LRUCache<string, object>({ maxSize: 10_000 }) };
    await markdownOf({ workers }, view, operations(20), page('Shop'));
    expect(await markdownOf({ workers }, view, operations(20), page('Store'))).toContain('# Store');
    expect(await markdownOf({ workers }, view, operations(21), page('Store'))).toContain('path="/20"');
    expect(ended.filter((task) => task === 'write_markdown').length).toBe(3);
  });

  it('is written without a worker when it is short', async () => {
    const view = { tree: nothing, derived: new LRUCache<string, object>({ maxSize: 10_000 }) };
    expect(await markdownOf({ workers }, view, operations(2), page('Shop'))).toContain('path="/1"');
    expect(ended).toEqual([]);
  });
});
