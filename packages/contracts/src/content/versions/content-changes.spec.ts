import { describe, expect, it } from '@jest/globals';
import type * as z from 'zod';
import { contentBounds } from '../bounds.js';
import { ChangeRequestContentChanges, ContentChanges } from './content-changes.js';

type Change = Record<string, unknown>;

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');

/** The places that a request is refused for. */
function refused(changes: unknown, schema: z.ZodType = ContentChanges): string[] {
  const read = schema.safeParse(changes);
  return read.success ? [] : read.error.issues.map(({ path }) => pathText(path).replace(/^\./, ''));
}

/** The places in a change for which a request with this change alone is refused. */
const refusedIn = (change: unknown): string[] =>
  refused({ changes: [change] }).map((path) => path.replace(/^changes\[0\]\.?/, ''));

const x = (length: number): string => 'x'.repeat(length);
const markdown = { markdown: '# Text' };
const insert: Change = { operation: 'insert_page', document: markdown };
const update: Change = { operation: 'update_page', page: 'p' };
const file = { name: 'a.png', url: 'https://files.example/a.png' };
const insertFiles = (...files: unknown[]): Change => ({ operation: 'insert_files', files });
const computed = {
  type: 'builtin:openapi',
  props: { models: true },
  dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
};
const target = { kind: 'url', url: 'https://example.com' };

/** The smallest form of every change. */
const smallest: Change[] = [
  update,
  insert,
  { operation: 'delete_page', page: 'p' },
  { operation: 'revert_page', page: 'p' },
  { operation: 'insert_group', title: 'Group' },
  { operation: 'update_group', page: 'g' },
  { operation: 'delete_group', page: 'g' },
  { operation: 'insert_link', title: 'Link', target },
  { operation: 'update_link', page: 'l' },
  { operation: 'insert_computed', computed },
  insertFiles(file),
  { operation: 'update_file', file: 'f' },
  { operation: 'delete_file', file: 'f' },
  { operation: 'insert_reusable_content', title: 'Shared', document: markdown },
  { operation: 'update_reusable_content', reusableContent: 'r' },
  { operation: 'delete_reusable_content', reusableContent: 'r' },
  { operation: 'set_variables', variables: {} },
];

describe('a change', () => {
  it.each(smallest.map((change) => [change['operation'], change]))('%s is accepted, as it is', (_name, change) => {
    const once = ContentChanges.parse({ changes: [change], base: 'r' });
    expect(once).toEqual({ changes: [change], base: 'r' });
    expect(ContentChanges.parse(once)).toEqual(once);
  });

  it.each(smallest.flatMap((change) => Object.keys(change).map((field) => [change['operation'], field, change])))(
    '%s needs its %s',
    (_name, field, change) => {
      const { [field as string]: _, ...rest } = change as Change;
      expect(refusedIn(rest)).toEqual([field]);
    },
  );

  it('of an unknown kind is refused by its operation', () => {
    for (const operation of ['insert_pages', 'toString', '', null, undefined])
      expect(refusedIn({ ...update, operation })).toEqual(['operation']);
    for (const none of [null, 'insert_page', 7]) expect(refusedIn(none)).toEqual(['']);
  });

  it('ignores fields that no change has', () => {
    expect(ContentChanges.parse({ changes: [{ ...update, unknown: 1 }] }).changes).toEqual([update]);
  });

  it.each([
    ['emoji', null],
    ['icon', null],
    ['description', null],
    ['condition', null],
    ['cover', null],
    ['metaLinks', null],
    ['into', null],
  ])('of a page can remove its %s by null', (field, value) => {
    expect(refusedIn({ ...update, [field]: value })).toEqual([]);
  });

  it.each([['title'], ['slug'], ['hidden'], ['noIndex'], ['noRobotsIndex'], ['layout'], ['variables'], ['document']])(
    'of a page cannot remove its %s',
    (field) => {
      expect(refusedIn({ ...update, [field]: null })).toEqual([field]);
    },
  );
});

describe('a bound', () => {
  const names = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, '']));

  it.each<[string, string, Change, Change]>([
    ['title', 'title', { ...update, title: x(255) }, { ...update, title: x(256) }],
    ['empty title', 'title', { ...update, title: 'x' }, { ...update, title: '' }],
    ['slug', 'slug', { ...update, slug: x(100) }, { ...update, slug: x(101) }],
    ['slug with /', 'slug', { ...update, slug: '' }, { ...update, slug: 'a/b' }],
    ['slug with ..', 'slug', { ...update, slug: 'a.b' }, { ...update, slug: 'a..b' }],
    ['slug .', 'slug', { ...update, slug: '.a' }, { ...update, slug: '.' }],
    ['description', 'description', { ...update, description: x(1024) }, { ...update, description: x(1025) }],
    ['condition', 'condition', { ...update, condition: x(1024) }, { ...update, condition: x(1025) }],
    ['emoji', 'emoji', { ...update, emoji: '1f600' }, { ...update, emoji: '😀' }],
    ['icon', 'icon', { ...update, icon: x(50) }, { ...update, icon: x(51) }],
    ['place', 'at', { ...update, at: 0 }, { ...update, at: -1 }],
    ['place between', 'at', { ...update, at: 1 }, { ...update, at: 0.5 }],
    ['id', 'page', { ...update, page: x(128) }, { ...update, page: x(129) }],
    ['temporary name', 'ref', { ...insert, ref: 'new-page_1' }, { ...insert, ref: 'new page' }],
    ['layout', 'layout', { ...update, layout: 'landing' }, { ...update, layout: 'portal' }],
    // The gateway names the field within.
    ['layout option', 'layout', { ...update, layout: { width: 'wide' } }, { ...update, layout: { width: 'xl' } }],
    [
      'height of a cover',
      'cover.height',
      { ...update, cover: { ref: target, height: 700 } },
      { ...update, cover: { ref: target, height: 701 } },
    ],
    [
      'low height of a cover',
      'cover.height',
      { ...update, cover: { ref: target, height: 10 } },
      { ...update, cover: { ref: target, height: 9 } },
    ],
    [
      'image of a cover',
      'cover.ref.kind',
      { ...update, cover: { ref: { kind: 'file', file: 'f' } } },
      { ...update, cover: { ref: { kind: 'page', page: 'p' } } },
    ],
    [
      'alternates',
      'metaLinks.alternates',
      { ...update, metaLinks: { canonical: target, alternates: Array(50).fill(target) } },
      { ...update, metaLinks: { alternates: Array(51).fill(target) } },
    ],
    [
      'blocks',
      'block',
      { ...smallest[3], block: Array(500).fill('k') },
      { ...smallest[3], block: Array(501).fill('k') },
    ],
    ['no blocks', 'block', { ...smallest[3], block: ['k'] }, { ...smallest[3], block: [] }],
    ['files', 'files', insertFiles(...Array<unknown>(20).fill(file)), insertFiles(...Array<unknown>(21).fill(file))],
    ['no files', 'files', insertFiles(file), insertFiles()],
    ['name of a file', 'files[0].name', insertFiles({ ...file, name: x(256) }), insertFiles({ ...file, name: x(257) })],
    ['no name', 'files[0].name', insertFiles({ ...file, name: 'x' }), insertFiles({ ...file, name: '' })],
    [
      'key of an upload',
      'files[0].upload',
      insertFiles({ name: 'a', upload: x(512) }),
      insertFiles({ name: 'a', upload: x(513) }),
    ],
    [
      'address of a file',
      'files[0].url',
      insertFiles({ ...file, url: `https://a.example/${x(2030)}` }),
      insertFiles({ ...file, url: `https://a.example/${x(2031)}` }),
    ],
    ['scheme of an address', 'files[0].url', insertFiles(file), insertFiles({ ...file, url: 'file:///etc/passwd' })],
    [
      'media type',
      'files[0].contentType',
      insertFiles({ ...file, contentType: 'text/plain; charset=utf-8' }),
      insertFiles({ ...file, contentType: 'png' }),
    ],
    [
      'value of a variable',
      'variables.v',
      { ...update, variables: { v: x(256) } },
      { ...update, variables: { v: x(257) } },
    ],
    [
      'name of a variable',
      `variables.${x(129)}`,
      { ...update, variables: { [x(128)]: null } },
      { ...update, variables: { [x(129)]: null } },
    ],
    ['form of a name', 'variables.1a', { ...update, variables: { A_1: '' } }, { ...update, variables: { '1a': '' } }],
    ['variables', 'variables', { ...update, variables: names(500) }, { ...update, variables: names(501) }],
    [
      'address of a link',
      'target.url',
      { ...smallest[7], target: { kind: 'url', url: 'mailto:a@b.example' } },
      { ...smallest[7], target: { kind: 'url', url: 'javascript:alert(1)' } },
    ],
    [
      'target',
      'target.kind',
      { ...smallest[7], target: { kind: 'page', page: 'p', space: 's' } },
      { ...smallest[7], target: { kind: 'pages' } },
    ],
    [
      'computed content',
      'computed',
      { ...smallest[9], computed },
      { ...smallest[9], computed: { ...computed, type: 'builtin:translation' } },
    ],
  ])('%s: accepted at it, refused beyond it by `%s`', (_what, path, within, beyond) => {
    expect(refusedIn(within)).toEqual([]);
    expect(refusedIn(beyond)).toEqual([path]);
  });

  it('of the number of changes is 1 to 50', () => {
    const many = (count: number) => ({ changes: Array<Change>(count).fill(update) });
    expect([refused(many(1)), refused(many(50))]).toEqual([[], []]);
    expect([refused(many(0)), refused(many(51)), refused({})]).toEqual([['changes'], ['changes'], ['changes']]);
  });

  it.each([
    ['markdown', 'document.markdown', contentBounds.markdownBytes, (bytes: number) => ({ markdown: x(bytes) })],
    [
      'markdown with letters of several bytes',
      'document.markdown',
      contentBounds.markdownBytes,
      (bytes: number) => ({ markdown: `${'ß'.repeat((bytes - 4) / 2)}${bytes % 2 === 0 ? '' : 'x'}😀` }),
    ],
  ])('of the bytes of %s', (_what, path, most, make) => {
    expect(refusedIn({ ...insert, document: make(most) })).toEqual([]);
    expect(refusedIn({ ...insert, document: make(most + 2) })).toEqual([path]);
  });

  it.each([
    ['document.document', (document: object) => ({ document })],
    ['document', (document: object) => document],
  ])('of the bytes of a document, which is refused by `%s`', (path, put) => {
    const make = (bytes: number) => {
      const document = { object: 'document', data: {}, nodes: [{ text: '' }] };
      const text = x(bytes - JSON.stringify(document).length);
      return put({ ...document, nodes: [{ text }] });
    };
    expect(refusedIn({ ...insert, document: make(contentBounds.documentBytes) })).toEqual([]);
    expect(refusedIn({ ...insert, document: make(contentBounds.documentBytes + 1) })).toEqual([path]);
    expect(refusedIn({ ...update, document: make(contentBounds.documentBytes + 1) })).toEqual([path]);
  });

  it('of the bytes of a file in base64', () => {
    const encoded = (bytes: number): string => Buffer.alloc(bytes).toString('base64');
    const sent = (base64: string) => refusedIn(insertFiles({ name: 'a', contentType: 'image/png', base64 }));
    for (const bytes of [0, 1, 2, 3, contentBounds.inlineFileBytes]) expect(sent(encoded(bytes))).toEqual([]);
    expect(sent(encoded(contentBounds.inlineFileBytes + 1))).toEqual(['files[0].base64']);
    expect(sent('data:image/png;base64,AAAA')).toEqual(['files[0].base64']);
  });

  it('of bytes says that the request is too large', () => {
    const { error } = ContentChanges.safeParse({
      changes: [{ ...insert, document: { markdown: x(contentBounds.markdownBytes + 1) } }],
    });
    expect(error?.issues).toMatchObject([{ message: 'Must be at most 524288 bytes', params: { reason: 'too_large' } }]);
  });
});

describe('the source of a file', () => {
  const base64 = { base64: 'AAAA', contentType: 'image/png' };

  it.each([
    ['none', {}, ['url']],
    ['an address', { url: file.url }, []],
    ['an upload', { upload: 'u' }, []],
    ['base64', base64, []],
    ['base64 without its type', { base64: 'AAAA' }, ['contentType']],
    ['an address and an upload', { url: file.url, upload: 'u' }, ['upload']],
    ['an address and base64', { url: file.url, ...base64 }, ['base64']],
    ['all of them', { url: file.url, upload: 'u', ...base64 }, ['base64']],
  ])('can be %s', (_what, source, fields) => {
    expect(refusedIn(insertFiles({ name: 'a', ...source }))).toEqual(fields.map((field) => `files[0].${field}`));
    // A file that exists can keep what it has.
    const kept = fields.filter((field) => field !== 'url');
    expect(refusedIn({ operation: 'update_file', file: 'f', ...source })).toEqual(kept);
  });
});

describe('names that a request gives', () => {
  const shared = { operation: 'insert_reusable_content', title: 'Shared', document: markdown };

  it('are accepted once each, and can be used instead of ids', () => {
    const changes = [
      { ...insert, ref: 'a' },
      { ...update, page: 'a', into: 'b' },
      { ...shared, ref: 'b' },
      insertFiles({ ...file, ref: 'c' }, { ...file, ref: 'd' }, file, file),
      insert,
      insert,
    ];
    expect(refused({ changes })).toEqual([]);
  });

  it('are refused where they come a second time, whatever has them', () => {
    const changes = [
      { ...insert, ref: 'a' },
      { ...shared, ref: 'a' },
      insertFiles({ ...file, ref: 'b' }, { ...file, ref: 'b' }, { ...file, ref: 'a' }),
    ];
    expect(refused({ changes })).toEqual(['changes[1].ref', 'changes[2].files[1].ref', 'changes[2].files[2].ref']);
  });

  it('are not compared in changes that are refused already', () => {
    const changes = [
      { operation: 'insert_files', files: null },
      { ...insert, ref: 7 },
      { ...insert, ref: 'a' },
    ];
    expect(refused({ changes })).toEqual(['changes[0].files', 'changes[1].ref']);
  });
});

describe('changes of a change request', () => {
  const check = (body: unknown) => refused(body, ChangeRequestContentChanges);

  it('can resolve conflicts, with changes or without', () => {
    expect([check({ changes: [update] }), check({ resolve: ['c'] })]).toEqual([[], []]);
    expect(check({ changes: [update], resolve: ['c'], base: 'r' })).toEqual([]);
    expect(check({})).toEqual(['changes']);
  });

  it('have the bounds of other changes', () => {
    expect(check({ changes: [] })).toEqual(['changes']);
    expect(
      check({
        changes: [
          { ...insert, ref: 'a' },
          { ...insert, ref: 'a' },
        ],
      }),
    ).toEqual(['changes[1].ref']);
    expect([check({ resolve: Array(500).fill('c') }), check({ resolve: Array(501).fill('c') })]).toEqual([
      [],
      ['resolve'],
    ]);
    expect(check({ resolve: [] })).toEqual(['resolve']);
  });
});
