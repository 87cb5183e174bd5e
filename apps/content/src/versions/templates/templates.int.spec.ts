import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outline, parseMarkdown } from '@scriptorium/rich-text';
import { readdirSync, readFileSync } from 'node:fs';
import { putSpec } from '../../test/specs.js';
import { get, startRig, type Answer, type Person, type Rig } from '../../test/rig.js';
import { builtInTemplates } from './built-in.js';
import { filesOf } from './template.js';

interface Entry {
  id: string;
  type: string;
  title: string;
  path?: string;
  href?: string;
  pages?: Entry[];
}

const acme = {
  openapi: '3.1.0',
  info: { title: 'Acme', version: '1' },
  paths: {
    '/customers': {
      get: {
        tags: ['Customers'],
        summary: 'Find a customer',
        parameters: [{ name: 'email', in: 'query', schema: { type: 'string' } }],
        responses: { 200: { description: 'Those that were found' } },
      },
    },
  },
  components: { schemas: { Customer: { type: 'object' } } },
};

describe('templates', () => {
  let rig: Rig;
  let spaces: string;
  let editor: Person;
  beforeAll(async () => {
    rig = await startRig();
    spaces = `/orgs/${rig.organization}/spaces`;
    editor = await rig.member('Edda Editor', 'edit');
  }, 60_000);
  afterAll(() => rig.stop());

  const create = (body: object = {}) => rig.send('POST', spaces, { body });
  const newSpace = async (body: object = {}) => String((await create(body)).body['id']);
  const apply = (space: string, body: object, headers: Record<string, string> = {}) =>
    rig.send('POST', `/spaces/${space}/content/template`, { token: editor.token, body, headers });
  const edit = (space: string, changes: object[]) =>
    rig.send('POST', `/spaces/${space}/content`, { body: { changes } });
  const pagesOf = async (space: string) =>
    (await rig.send('GET', `/spaces/${space}/content/pages`, { token: editor.token })).body['pages'] as Entry[];
  const titles = async (space: string) => (await pagesOf(space)).map(({ title }) => title);
  const revisions = async (space: string) => (await rig.send('GET', `/spaces/${space}/revisions`)).body['count'];
  const flat = (entries: readonly Entry[]): Entry[] => entries.flatMap((one) => [one, ...flat(one.pages ?? [])]);
  const refusal = ({ status, body: { error } }: Answer) => [
    status,
    error.reason,
    error.details?.map(({ path }) => path),
  ];
  const page = { operation: 'insert_page', title: 'Own', document: { markdown: 'Text.' } };
  const help = { kind: 'url', url: 'https://help.example/?about="this"' };
  /** What a template takes, all with the same target. */
  const paramsFor = (contentRefs: Readonly<Record<string, string>>) => ({
    contentRefs: Object.fromEntries(Object.keys(contentRefs).map((name) => [name, help])),
  });
  const changelog = { id: 'changelog' };
  const changelogTitles = ['Changelog', 'Upcoming', 'How we release', 'Archive'];

  it('are listed by title, page by page', async () => {
    const { body } = await rig.send('GET', '/templates');
    expect(body.items.map(({ id }) => id)).toEqual(['api-docs', 'blank', 'changelog', 'help-center', 'product-docs']);
    expect(body['count']).toBe(5);
    expect(body.items[0]).toEqual({
      id: 'api-docs',
      title: 'API documentation',
      subtitle: 'Everything that developers need to build on your API',
      emoji: '1f50c',
      features: expect.any(Array),
      contentRefs: [
        { name: 'status', description: 'Where readers see whether the API is running' },
        {
          name: 'specification',
          description: 'The OpenAPI specification that the reference is made of',
          kind: 'openapi',
          optional: true,
        },
      ],
    });
    const first = await rig.send('GET', '/templates?limit=4', { token: editor.token });
    const next = encodeURIComponent(String(get(first.body, 'next.page')));
    const second = await rig.send('GET', `/templates?limit=4&page=${next}`, { token: editor.token });
    expect(second.body.items.map(({ id }) => id)).toEqual(['product-docs']);
    expect(second.body).not.toHaveProperty('next');
    expect((await rig.send('GET', '/templates', { token: null })).status).toBe(401);
  });

  it.each(builtInTemplates.map((template) => [template.id, template] as const))(
    'has %s, whose pages read as they were written, with every link',
    async (id, template) => {
      const made = await create({ editMode: 'live', template: { id, params: paramsFor(template.contentRefs) } });
      expect(made.status).toBe(201);
      const space = String(made.body['id']);
      const entries = flat(await pagesOf(space));
      const documents = entries.filter(({ type }) => type === 'document');
      const files = filesOf(template);
      expect(documents.length).toBe(files.length);
      const paths = new Set(documents.map(({ path }) => path));
      const folder = new URL(`./${id}/`, import.meta.url);
      for (const [index, { id: pageId, path }] of documents.entries()) {
        const { body } = await rig.send('GET', `/spaces/${space}/content/page/${pageId}`, {});
        const markdown = String(body['markdown']);
        const source = readFileSync(new URL(`${files[index]}.md`, folder), 'utf8').replace(/^---\n[^]*?\n---\n\n/, '');
        expect(withoutTargets(markdown)).toBe(withoutTargets(source));
        expect(markdown).not.toContain('broken-reference');
        expect(targets(markdown).filter((target) => !leadsSomewhere(target, String(path), paths))).toEqual([]);
        expect(targets(markdown).filter((target) => target.startsWith('https://help.')).length).toBe(
          targets(source).filter((target) => target.startsWith('/content-refs/')).length,
        );
        const rewritten = await edit(space, [{ operation: 'update_page', page: pageId, document: { markdown } }]);
        expect([rewritten.status, rewritten.body['revision']]).toEqual([200, made.body['revision']]);
      }
      const links = entries.filter(({ type }) => type === 'link').map(({ href }) => href);
      expect(links).toEqual(links.map(() => help.url));
    },
    60_000,
  );

  it('have no files that no page is made of, and use each content reference', () => {
    for (const template of builtInTemplates) {
      const folder = new URL(`./${template.id}/`, import.meta.url);
      const files = readdirSync(folder).map((name) => name.replace(/\.md$/, ''));
      expect(files.sort()).toEqual(filesOf(template).sort());
      const texts = files.map((name) => readFileSync(new URL(`${name}.md`, folder), 'utf8')).join('\n');
      const used = new Set([...texts.matchAll(/\/content-refs\/([\w-]+)/g)].map(([, name]) => name));
      expect([...used]).toEqual(Object.keys(template.contentRefs));
      for (const [, name = '', anchor] of texts.matchAll(/\(\.\/([\w-]+)\.md#([\w-]+)\)/g)) {
        const { document } = parseMarkdown(readFileSync(new URL(`${name}.md`, folder), 'utf8'), { context: 'page' });
        expect(outline(document).map(({ id }) => id)).toContain(anchor);
      }
    }
  });

  it('take the place of the page that a space began with, also in a locked one', async () => {
    for (const editMode of ['locked', 'live']) {
      const space = await newSpace({ editMode });
      const applied = await apply(space, changelog);
      expect([applied.status, applied.body]).toEqual([201, undefined]);
      expect(await titles(space)).toEqual(changelogTitles);
      expect(await revisions(space)).toBe(2);
    }
    const empty = await newSpace({ empty: true });
    expect((await apply(empty, changelog)).status).toBe(201);
    expect(await titles(empty)).toEqual(changelogTitles);
  });

  it('are added to what a live space has', async () => {
    const space = await newSpace({ editMode: 'live' });
    expect((await edit(space, [page])).status).toBe(200);
    expect((await apply(space, changelog)).status).toBe(201);
    expect((await apply(space, changelog)).status).toBe(201);
    expect(await titles(space)).toEqual(['Page', 'Own', ...changelogTitles, ...changelogTitles]);
    const second = (await pagesOf(space)).at(-1) as Entry;
    expect(second.path).toBe('archive-1');
    const { body } = await rig.send('GET', `/spaces/${space}/content/page/${second.id}?format=markdown`);
    expect(body['markdown']).toContain('[changelog](changelog-1.md)');
  });

  it('need a change request in a locked space that was edited, or copied from another one', async () => {
    const space = await newSpace({ editMode: 'live' });
    await edit(space, [page]);
    await rig.send('PATCH', `/spaces/${space}`, { body: { editMode: 'locked' } });
    const copy = String((await rig.send('POST', `/spaces/${space}/duplicate`)).body['id']);
    const applied = await newSpace();
    await apply(applied, changelog);
    for (const locked of [space, copy, applied]) {
      const refused = await apply(locked, changelog);
      expect(refusal(refused)).toEqual([400, 'invalid_request', ['body.changeRequestId']]);
    }
    expect(await titles(space)).toEqual(['Page', 'Own']);
    const named = await apply(space, { ...changelog, changeRequestId: '1' });
    expect(refusal(named)).toEqual([404, 'not_found', ['body.changeRequestId']]);
  });

  it('are applied once to a space that is not edited, whoever asks at the same moment, and once for a key', async () => {
    const locked = await newSpace();
    const answers = await Promise.all(Array.from({ length: 5 }, () => apply(locked, changelog)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
    expect(await titles(locked)).toEqual(changelogTitles);
    const space = await newSpace();
    const again = [1, 2].map(() => () => apply(space, changelog, { 'idempotency-key': 'once' }));
    for (const send of again) expect((await send()).status).toBe(201);
    expect(await titles(space)).toEqual(changelogTitles);
  });

  it('are refused when they are unknown, or with other content references than they take', async () => {
    const space = await newSpace();
    const ref = { kind: 'url', url: 'https://help.example' };
    const cases: [object, [number, string, string[]]][] = [
      [{ id: 'nothing' }, [404, 'not_found', ['id']]],
      [{ id: 'product-docs' }, [400, 'invalid_request', ['params.contentRefs.support']]],
      [
        { id: 'changelog', params: { contentRefs: { support: ref } } },
        [400, 'invalid_request', ['params.contentRefs.support']],
      ],
      [
        { id: 'api-docs', params: { contentRefs: { other: ref } } },
        [400, 'invalid_request', ['params.contentRefs.status', 'params.contentRefs.other']],
      ],
      [
        { id: 'api-docs', params: { contentRefs: { status: { kind: 'url', url: 'javascript:x' } } } },
        [400, 'invalid_request', ['params.contentRefs.status.url']],
      ],
      [
        { id: 'api-docs', params: { contentRefs: { status: ref, specification: ref } } },
        [400, 'invalid_request', ['params.contentRefs.specification.kind']],
      ],
    ];
    const before = (await rig.send('GET', spaces)).body['count'];
    for (const [template, [status, reason, paths]] of cases) {
      expect(refusal(await apply(space, template))).toEqual([status, reason, paths.map((path) => `body.${path}`)]);
      const refused = await create({ template });
      expect(refusal(refused)).toEqual([status, reason, paths.map((path) => `body.template.${path}`)]);
    }
    const both = await create({ template: changelog, empty: true });
    expect(refusal(both)).toEqual([400, 'invalid_request', ['body.empty']]);
    expect((await rig.send('GET', spaces)).body['count']).toBe(before);
    expect(await titles(space)).toEqual(['Page']);
    expect((await apply('nothing', changelog)).status).toBe(404);
  });

  it('have pages of a specification, if they are given one', async () => {
    await putSpec(rig, 'acme', acme);
    const specification = { kind: 'openapi', spec: 'acme' };
    const params = { contentRefs: { status: help, specification } };
    const space = await newSpace({ editMode: 'live', template: { id: 'api-docs', params } });
    const applied = await newSpace();
    expect((await apply(applied, { id: 'api-docs', params })).status).toBe(201);
    for (const made of [space, applied]) {
      const entries = flat(await pagesOf(made));
      const reference = entries.find(({ path }) => path === 'resources/reference');
      expect([reference?.type, reference?.pages?.map(({ title }) => title)]).toEqual([
        'group',
        ['Customers', 'Models'],
      ]);
      const path = `/spaces/${made}/content/path/${encodeURIComponent('resources/reference/customers')}`;
      const { body } = await rig.send('GET', `${path}?format=markdown&dereferenced=true`);
      expect(body['markdown']).toMatch(/Find a customer[^]*`email`/);
      const links = await rig.send('GET', `/spaces/${made}/links?status=broken`);
      expect(links.body.items).toEqual([]);
    }
    const without = await newSpace({ template: { id: 'api-docs', params: { contentRefs: { status: help } } } });
    const { body } = await rig.send(
      'GET',
      `/spaces/${without}/content/path/${encodeURIComponent('resources/reference')}?format=markdown`,
    );
    expect([body['type'], body['markdown']]).toEqual(['document', expect.stringContaining('openapi publish acme')]);
  });

  it('lead to pages of other spaces', async () => {
    const other = await newSpace({ editMode: 'live' });
    const [target] = await pagesOf(other);
    const support = { kind: 'page', page: target?.id, space: other };
    const space = await newSpace({ template: { id: 'product-docs', params: { contentRefs: { support } } } });
    const { body } = await rig.send('GET', `/spaces/${space}/content/path/welcome?format=markdown`);
    expect(body['markdown']).toContain(`<a href="/spaces/${other}/pages/${target?.id}" class="button primary"`);
    expect(flat(await pagesOf(space)).find(({ type }) => type === 'link')).toMatchObject({ target: support });
  });
});

describe('a template', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ MAX_PAGES_PER_SPACE: '3' });
  }, 60_000);
  afterAll(() => rig.stop());

  it('does not make more pages than a space can have', async () => {
    const path = `/orgs/${rig.organization}/spaces`;
    const template = { id: 'changelog' };
    const created = await rig.send('POST', path, { body: { template } });
    const { body } = await rig.send('POST', path, { body: { empty: true } });
    const applied = await rig.send('POST', `/spaces/${String(body['id'])}/content/template`, { body: template });
    for (const refused of [created, applied]) {
      const { error } = refused.body;
      expect([refused.status, error.reason, error.details?.[0]?.path]).toEqual([409, 'limit_reached', 'pagesPerSpace']);
    }
    expect((await rig.send('GET', path)).body['count']).toBe(1);
  });
});

const link = /(?<=\]\()[^)\s]*(?=\))|(?<=href=")[^"]*/g;

function targets(markdown: string): string[] {
  return [...markdown.replace(/```[^]*?```/g, '').matchAll(link)].map(([target]) => target);
}

function withoutTargets(markdown: string): string {
  return markdown.replace(link, '');
}

/** Whether a link of a page leads to one of the pages, or to what the template was given. */
function leadsSomewhere(target: string, from: string, paths: ReadonlySet<string | undefined>): boolean {
  if (target.startsWith('https://help.')) return true;
  const [file = ''] = target.split('#');
  // A page with others in it stands in a folder of its own.
  const found = [from, `${from}/`].map((path) => new URL(file, `https://here/${path}`).pathname.slice(1));
  return found.some((path) => paths.has(path.replace(/(\/README)?\.md$/, '')));
}
