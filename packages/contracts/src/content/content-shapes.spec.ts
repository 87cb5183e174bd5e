import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { ComputedSource } from './shapes/computed.js';
import { ContentReference } from './shapes/content-reference.js';
import { documentQuery } from './shapes/content-query.js';
import { initialContent, withInitialContent } from './shapes/initial-content.js';
import { layoutPresets } from './shapes/page-fields.js';
import { Page } from './shapes/page.js';
import { EmbeddedRevision, Revision } from './shapes/revision.js';
import { getPageByPath } from './versions/space-content.js';
import { uploadStorage } from './moving/storage.js';
import { applyTemplateToSpace } from './moving/templates.js';

const at = '2026-01-31T12:00:00.000Z';
const urls = { app: 'https://docs.example/s/s/p' };
const entry = { id: 'p', title: 'Page', hidden: false, urls };
const placed = { ...entry, slug: 'page', path: 'guides/page' };
const text: Page = {
  type: 'document',
  kind: 'sheet',
  ...placed,
  layout: layoutPresets.docs,
  noIndex: false,
  noRobotsIndex: false,
  pages: [],
};
const spec = { spec: { ref: { kind: 'openapi', spec: 'petstore' } } } as const;
const ofFile = { spec: { ref: { kind: 'file', file: 'f' } } } as const;
const examples: Page[] = [
  {
    ...text,
    createdAt: at,
    variables: { product: 'Docs' },
    cover: { ref: { kind: 'file', file: 'f' }, yPos: 0, height: 240 },
    metaLinks: { canonical: { kind: 'page', page: 'q', space: 's' } },
    markdown: '# Page',
    computed: { type: 'builtin:openapi', props: { doc: 'operations', page: 'pets' }, dependencies: spec },
    computedSeed: 'abc',
  },
  { type: 'group', kind: 'group', ...placed, pages: [text, { type: 'group', kind: 'group', ...placed, pages: [] }] },
  {
    type: 'link',
    kind: 'link',
    ...entry,
    target: { kind: 'url', url: 'https://example.com' },
    href: 'https://example.com',
  },
  {
    type: 'computed',
    ...placed,
    computed: { type: 'builtin:openapi', dependencies: spec },
    noIndex: false,
    noRobotsIndex: false,
    pages: [text],
  },
];

const paths = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('a page', () => {
  it.each(examples.map((page) => [page.type, page]))('of the type %s is what answers contain', (_type, page) => {
    expect(Page.parse(page)).toEqual(page);
  });

  it('is checked at every depth', () => {
    const wrong = { ...examples[1], pages: [{ ...text, pages: [{ type: 'link', kind: 'link', ...entry }] }] };
    expect(paths(Page, wrong)).toEqual(['pages.0.pages.0.target']);
    expect(paths(Page, { ...text, type: 'sheet' })).toEqual(['type']);
  });

  it('has no layout without each of its options', () => {
    for (const name of Object.keys(layoutPresets.docs)) {
      const { [name as 'cover']: _, ...layout } = layoutPresets.docs;
      expect(paths(Page, { ...text, layout })).toEqual([`layout.${name}`]);
    }
  });
});

describe('the layouts with a name', () => {
  it('differ from each other', () => {
    const { docs, editorial, landing } = layoutPresets;
    expect([docs.cover, editorial.cover, landing.cover]).toEqual([false, true, true]);
    expect([editorial.tableOfContents, landing.tableOfContents]).toEqual([true, false]);
  });
});

describe('a revision', () => {
  const revision: Revision = {
    object: 'revision',
    id: 'r',
    parents: ['q'],
    type: 'merge',
    mergedFrom: { object: 'change-request', id: 'c' },
    createdAt: at,
    pages: examples,
    files: [{ id: 'f', name: 'a.png', contentType: 'image/png', size: 3, downloadURL: 'https://files.example/a' }],
    reusableContents: [{ id: 'u', title: 'Shared' }],
    variables: { a: 'b' },
    urls,
  };

  it('has everything as a whole, and neither pages nor files within another answer', () => {
    expect(Revision.parse(revision)).toEqual(revision);
    expect(paths(EmbeddedRevision, revision)).toEqual(['pages', 'files', 'reusableContents']);
    const embedded = { ...revision, pages: [], files: [], reusableContents: [] };
    expect(EmbeddedRevision.parse(embedded)).toEqual(embedded);
    expect(Revision.parse(embedded)).toEqual(embedded);
  });
});

describe('a content reference', () => {
  it.each<[string, object]>([
    ['file', { file: 'f', space: 's' }],
    ['url', { url: 'https://example.com/a?b#c' }],
    ['page', { page: 'p' }],
    ['anchor', { anchor: 'über-uns' }],
    ['anchor', { anchor: 'a', page: 'p', space: 's' }],
    ['user', { user: 'u' }],
    ['collection', { collection: 'c' }],
    ['space', { space: 's' }],
    ['reusable-content', { reusableContent: 'r', space: 's' }],
    ['openapi', { spec: 'petstore' }],
    ['tag', { tag: 't' }],
  ])('can be to a %s: %j', (kind, fields) => {
    expect(ContentReference.parse({ kind, ...fields })).toEqual({ kind, ...fields });
    expect(paths(ContentReference, { kind })).toHaveLength(1);
  });

  it.each([
    ['https://example.com', true],
    ['HTTP://example.com', true],
    ['mailto:a@b.example', true],
    ['tel:+49123', true],
    ['javascript:alert(1)', false],
    [' javascript:alert(1)', false],
    ['java\nscript:alert(1)', false],
    ['data:text/html,x', false],
    ['/relative', false],
    ['//example.com', false],
    ['https://exa mple.com', false],
    ['https://', false],
    ['https://example.com/\u0000', false],
    [`https://example.com/${'x'.repeat(2028)}`, true],
    [`https://example.com/${'x'.repeat(2029)}`, false],
  ])('to the address %j: %s', (url, accepted) => {
    expect(ContentReference.safeParse({ kind: 'url', url }).success).toBe(accepted);
  });
});

describe('the source of computed content', () => {
  it.each([
    [{ type: 'builtin:openapi', props: { models: true, downloadLink: false }, dependencies: spec }, true],
    [{ type: 'builtin:openapi', dependencies: ofFile }, true],
    [{ type: 'builtin:openapi', dependencies: { spec: { ref: { ...ofFile.spec.ref, space: 's' } } } }, false],
    [{ type: 'builtin:openapi' }, false],
    [{ type: 'builtin:openapi', props: { models: 'all' }, dependencies: spec }, false],
    [{ type: 'builtin:translation', dependencies: { source: { ref: { kind: 'space', space: 's' } } } }, true],
    [{ type: 'integration:jira:issues', props: { project: ['A'] } }, true],
    [{ type: 'integration:jira' }, false],
    [{ type: 'integration:jira:issues', props: { text: 'x'.repeat(32 * 1024) } }, false],
    [{ type: 'integration:jira:issues', props: JSON.parse(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`) }, false],
  ])('%j: %s', (source, accepted) => {
    expect(ComputedSource.safeParse(source).success).toBe(accepted);
  });
});

describe('the content that a space begins with', () => {
  const body = withInitialContent({ title: z.string().optional() }, initialContent);

  it.each([
    [{}, []],
    [{ title: 'T', empty: true }, []],
    [{ empty: false }, ['empty']],
    [{ template: { id: 'blank' } }, []],
    [{ template: {} }, ['template.id']],
    [{ template: { id: 'blank' }, empty: true }, ['empty']],
    [{ computedSource: { type: 'builtin:openapi', dependencies: spec } }, []],
    [
      { computedSource: { type: 'builtin:openapi', dependencies: spec }, template: { id: 'blank' } },
      ['computedSource'],
    ],
    [
      { computedSource: { type: 'builtin:openapi', dependencies: ofFile } },
      ['computedSource.dependencies.spec.ref.kind', 'computedSource.dependencies.spec.ref.spec'],
    ],
  ])('%j is refused by %j', (given, refused) => {
    expect(paths(body, given)).toEqual(refused);
  });
});

describe('the path of a page', () => {
  const { params } = getPageByPath;

  it.each([
    ['a', true],
    ['guides/getting-started/install', true],
    ['grüße/%', true],
    ['', false],
    ['/', false],
    ['/a', false],
    ['a/', false],
    ['a//b', false],
    ['x'.repeat(2048), true],
    ['x'.repeat(2049), false],
  ])('%j: %s', (pagePath, accepted) => {
    expect(params.safeParse({ spaceId: 's', pagePath }).success).toBe(accepted);
  });
});

describe('the query of a page', () => {
  const query = z.object(documentQuery);

  it('shows a page as it is written unless something else is asked for', () => {
    expect(query.parse({})).toEqual({ 'format.markdown.refs': 'relative', evaluated: false, dereferenced: false });
  });

  it('takes a word besides yes and no', () => {
    const given = { evaluated: 'deterministic-only', dereferenced: 'reusable-contents', format: 'markdown' };
    expect(query.parse(given)).toMatchObject(given);
    expect(paths(query, { evaluated: 'yes', dereferenced: 'all', format: 'html' })).toEqual([
      'format',
      'evaluated',
      'dereferenced',
    ]);
  });
});

describe('an upload', () => {
  const upload = (file: object) => ({ kind: 'space_file', file: { name: 'a', type: 'image/png', size: 1, ...file } });
  const { body } = uploadStorage;

  it.each([
    [{ size: 0 }, []],
    [{ size: 100 * 1024 * 1024 }, []],
    [{ size: 100 * 1024 * 1024 + 1 }, ['file.size']],
    [{ size: -1 }, ['file.size']],
    [{ size: 1.5 }, ['file.size']],
    [{ name: '' }, ['file.name']],
    [{ type: 'png' }, ['file.type']],
  ])('of %j is refused by %j', (file, refused) => {
    expect(paths(body, upload(file))).toEqual(refused);
  });

  it('is of a known kind', () => {
    expect(paths(body, { ...upload({}), kind: 'avatar' })).toEqual(['kind']);
  });
});

describe('the use of a template', () => {
  const { body } = applyTemplateToSpace;
  const refs = (count: number) => ({
    contentRefs: Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${n}`, { kind: 'space', space: 's' }])),
  });

  it.each([
    [{ id: 'blank' }, []],
    [{ id: 'blank', params: {}, changeRequestId: '12' }, []],
    [{ params: {} }, ['id']],
    [{ id: 'blank', params: refs(100) }, []],
    [{ id: 'blank', params: refs(101) }, ['params.contentRefs']],
    [{ id: 'blank', params: { contentRefs: { spec: { kind: 'spec' } } } }, ['params.contentRefs.spec.kind']],
  ])('%j is refused by %j', (given, refused) => {
    expect(paths(body, given)).toEqual(refused);
  });
});
