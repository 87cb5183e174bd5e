import { describe, expect, it } from '@jest/globals';
import { EMPTY_ROOT } from '@scriptorium/tree';
import { generateNKeysBetween } from 'fractional-indexing';
import { addToBranch, type Branch } from '../versions/branches/branch.js';
import { makeChanges } from '../versions/changes/index.js';
import { parsePage } from '../versions/changes/parsing/parse-page.js';
import { createDraft, type ContentObjects } from '../versions/object-store/index.js';
import { countContent } from '../versions/branches/index.js';
import { putPages, type Page } from '../versions/pages/index.js';
import { memoryObjects } from '../test/memory-objects.js';

const now = '2026-01-02T03:04:05.006Z';
const markdown = 'A text of some length. '.repeat(50);

/** The content of a space with so many pages, ten of them at the top and the others below. */
async function contentOf(objects: ContentObjects, count: number): Promise<string> {
  const draft = createDraft(objects, 'pool', EMPTY_ROOT);
  const orders = generateNKeysBetween(null, null, count);
  const { document } = parsePage({ markdown, previous: undefined, titles: {}, targets: {} });
  const pages = orders.map((order, index): Page => {
    const parent = index < 10 ? {} : { parent: `page-id-of-20-chars-${index % 10}` };
    const title = `Page number ${index}`;
    const times = { createdAt: now, updatedAt: now };
    const id = `page-id-of-20-chars-${index}`;
    return { id, type: 'document', title, slug: `p-${index}`, order, document: document.name, ...parent, ...times };
  });
  await putPages(draft, pages);
  draft.addText(document);
  const { root, texts } = await draft.written();
  await objects.store('pool', texts);
  return root;
}

interface Cost {
  objects: number;
  events: number;
}

/** The bytes that an edit of one page adds to the objects and to the log. */
async function costOfEdit(count: number): Promise<Cost> {
  const objects = memoryObjects();
  const tree = await contentOf(objects, count);
  const draft = createDraft(objects, 'pool', tree);
  const made = await editIn(draft);
  const { root, texts } = await draft.written();
  const { length: document } = made.markdown;
  const counts = await countContent(draft);
  const head = { revision: 'a-revision-of-20-char', tree, number: 1 };
  const state: Extract<Branch, { status: 'open' }> = {
    status: 'open',
    space: 'space',
    pool: 'pool',
    head,
    request: null,
  };
  const revision = { revision: 'b-revision-of-20-char', tree: root, type: 'edits', mergedFrom: null } as const;
  const events = addToBranch(state, {
    revision: { ...revision, counts, changes: made.made.events },
    events: [],
  });
  const bytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  // The counts have more digits.
  return { objects: bytes - document, events: JSON.stringify(events).length - String(counts.pages).length };
}

async function editIn(
  draft: ReturnType<typeof createDraft>,
): Promise<{ made: Awaited<ReturnType<typeof makeChanges>>; markdown: string }> {
  const changed = markdown.replace('some', 'another');
  const made = await makeChanges(draft, {
    space: 'space',
    changes: [{ operation: 'update_page', page: 'page-id-of-20-chars-7', document: { markdown: changed } }],
    newId: (what) => what,
    parse: (text) => Promise.resolve(parsePage(text)),
    revision: () => Promise.resolve(undefined),
    now: Date.parse(now) + 1_000,
    api: '',
    variables: 500,
  });
  return { made, markdown: changed };
}

describe('an edit of one page', () => {
  it('costs as many bytes of the log with 10,000 pages as with 10, and at most 25 KB of objects beside its text', async () => {
    const [few, many] = [await costOfEdit(10), await costOfEdit(10_000)];
    expect(many.events).toBe(few.events);
    expect(many.events).toBeLessThan(1_000);
    expect(many.objects).toBeLessThanOrEqual(25_000);
  });
});
