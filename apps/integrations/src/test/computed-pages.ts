import { beforeAll, expect, it } from '@jest/globals';
import { get } from '@scriptorium/testing';
import { comesTrue, type DispatchRig } from './dispatch-rig.js';
import { refusal } from './integration-rig.js';
import { officialScript } from './official-script.js';
import type { Answer } from './rig.js';

/** A source of tickets. `says`: what it writes into them; `when` decides what it does wrong. */
const scriptThat = (says: string): string =>
  officialScript(`
const paragraph = (text) => ({ object: 'block', type: 'paragraph', data: {}, isVoid: false,
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }] });
const tickets = runtime.createContentSource({
  sourceId: 'tickets',
  getRevision: async ({ props, dependencies }) => {
    if (props.when === 'fails') throw new Error('Quillfeather');
    if (props.when === 'hangs') await new Promise(() => setTimeout(() => {}, 60000));
    if (props.when === 'malformed') return { pages: [{ type: 'document', title: '' }] };
    const page = (id) => ({ type: 'document', id, title: 'Ticket ' + id, description: 'About ' + id,
      computed: { type: 'integration:' + props.of + ':tickets', props: { id, when: props.when } } });
    const out = { type: 'link', title: 'All of them', target: { kind: 'url', url: 'https://tickets.example' } };
    const named = dependencies.file ? [{ type: 'document', title: 'From ' + dependencies.file.value?.name }] : [];
    return { pages: [{ ...page('A'), pages: [page('B')] }, { type: 'group', title: 'More', pages: [out] }, ...named] };
  },
  getPageDocument: async ({ props }) => {
    if (props.when === 'bad document') return { object: 'document', nodes: [{ object: 'block', type: 7 }] };
    if (props.when === 'one bad' && props.id === 'B') return { object: 'document', nodes: [{ object: 'block', type: 7 }] };
    if (props.when === 'one bad') return { markdown: 'Quince about ' + props.id };
    if (props.when === 'large') return { object: 'document', data: {}, nodes: [paragraph('x'.repeat(2200000))] };
    return { object: 'document', data: {}, nodes: [paragraph('${says} about ' + props.id)] };
  },
});
return runtime.createIntegration({ contentSources: [tickets] });`);

const published = {
  scopes: ['space:content:read'],
  visibility: 'public',
  contentSources: [{ id: 'tickets', title: 'Tickets', configuration: { componentId: 'c' } }],
};

interface Shown {
  id: string;
  type: string;
  title: string;
  path: string;
  stale?: true;
  computed?: object;
  pages: Shown[];
}

/**
 * The specs of computed pages of an integration, for a file that has a rig with a runtime: to start one takes longer
 * than they do.
 */
export function computedPagesOf(rig: () => DispatchRig): void {
  let world: DispatchRig;
  let name: string;
  let path: string;
  let space: string;
  beforeAll(async () => {
    world = rig();
    ({ name, path } = await world.begin({ ...published, script: scriptThat('Marmalade') }));
    space = await openSpace('Computed');
    await world.done('POST', `${path}/spaces`, { space });
  }, 60_000);

  const openSpace = async (title: string): Promise<string> => {
    const body = { title, empty: true, editMode: 'live' };
    return String((await world.done('POST', `${world.org}/spaces`, body))['id']);
  };
  const sourceOf = (props: object = {}, more: object = {}) => ({
    type: `integration:${name}:tickets`,
    props: { of: name, ...props },
    ...more,
  });
  const change = (changes: object[], at = space) => world.done('POST', `/spaces/${at}/content`, { changes });
  const insert = async (computed: object, title: string, at = space): Promise<object> => {
    await change([{ operation: 'insert_computed', title, computed }], at);
    return computed;
  };
  const pagesOf = async (at = space): Promise<Shown[]> =>
    (await world.done('GET', `/spaces/${at}/content/pages`))['pages'] as Shown[];
  const groupOf = async (title: string): Promise<Shown> =>
    (await pagesOf()).find((page) => page.title === title) as Shown;
  const compute = (source: object, what = 'revision', person = world.rig.owner): Promise<Answer> =>
    world.send('POST', `/spaces/${space}/content/computed/${what}`, { source }, person);
  const textOf = async (page: Shown, at = space): Promise<string> =>
    String((await world.done('GET', `/spaces/${at}/content/page/${page.id}?format=markdown`))['markdown']);
  const titles = (pages: Shown[] = []): unknown[] =>
    pages.map((page) => (page.pages?.length > 0 ? [page.title, titles(page.pages)] : page.title));

  it('are expanded in reads, found by search and on published sites, as those of specifications are', async () => {
    const source = await insert(sourceOf(), 'Tickets');
    const computed = await compute(source);
    expect([computed.status, titles(computed.body['pages'] as Shown[])]).toEqual([
      200,
      [
        ['Ticket A', ['Ticket B']],
        ['More', ['All of them']],
      ],
    ]);
    const group = await groupOf('Tickets');
    expect(group).toMatchObject({ type: 'group', computed: source, computedSeed: expect.any(String) });
    expect(group).not.toHaveProperty('stale');
    const [first] = group.pages;
    expect(first).toMatchObject({ title: 'Ticket A', path: 'tickets/ticket-a', description: 'About A' });
    expect(await textOf(first?.pages[0] as Shown)).toContain('Marmalade about B');
    const document = await compute(first?.computed as object, 'document');
    expect(JSON.stringify(document.body)).toContain('Marmalade about A');
    await comesTrue(async () => {
      const found = await world.done('GET', `/spaces/${space}/search?query=marmalade`);
      expect(found.items.map((item) => get(item, 'path'))).toEqual(
        expect.arrayContaining(['tickets/ticket-a', 'tickets/ticket-a/ticket-b']),
      );
    });
    const site = await world.site('Of tickets');
    await world.done('POST', `${world.org}/sites/${site}/site-spaces`, { spaceId: space });
    await world.done('POST', `${world.org}/sites/${site}/publish`);
    const url = String(get(await world.done('GET', `${world.org}/sites/${site}`), 'urls.published'));
    const led = await world.rig.send('POST', '/urls/published', { token: null, body: { url } });
    const visitor = await world.rig.send('GET', `/spaces/${space}/content/path/tickets%2Fticket-a`, {
      token: String(led.body['apiToken']),
    });
    expect([visitor.status, visitor.body['title']]).toEqual([200, 'Ticket A']);
    const plain = (await world.done('GET', `/spaces/${space}/content/pages?computed=false`))['pages'] as Shown[];
    expect(plain.find(({ title }) => title === 'Tickets')).toMatchObject({ type: 'computed', pages: [] });
  });

  it('are computed again when a file that they depend on changes', async () => {
    const file = (text: string) => ({ contentType: 'text/plain', base64: Buffer.from(text).toString('base64') });
    const computed = sourceOf({}, { dependencies: { file: { ref: { kind: 'file', file: 'list' } } } });
    const { results } = (await change([
      { operation: 'insert_files', files: [{ ref: 'list', name: 'list.txt', ...file('1') }] },
      { operation: 'insert_computed', title: 'Of a file', computed },
    ])) as { results?: object[] };
    const shown = await comesTrueOf('Of a file', (pages) => expect(titles(pages)).toContain('From list.txt'));
    const id = String(get(shown.computed, 'dependencies.file.ref.file'));
    expect(results).not.toEqual([]);
    await change([{ operation: 'update_file', file: id, name: 'other.txt', ...file('2') }]);
    await comesTrueOf('Of a file', (pages) => expect(titles(pages)).toContain('From other.txt'));
  });

  it('stay as they were, marked as stale, when a newer version fails, and follow one that does not', async () => {
    const republish = (script: string) => world.publish({ ...published, script, secrets: {} }, name);
    await republish(officialScript(broken));
    await comesTrueOf('Tickets', (pages, group) => {
      expect([group.stale, pages[0]?.stale, titles(pages)[0]]).toEqual([true, true, ['Ticket A', ['Ticket B']]]);
    });
    const kept = await groupOf('Tickets');
    expect(await textOf(kept.pages[0] as Shown)).toContain('Marmalade about A');
    expect(refusal(await compute(sourceOf()))).toEqual([502, 'integration_failed', undefined]);
    await comesTrue(async () => {
      const [event] = await world.eventsOf(name, '&status=failed');
      expect(event).toMatchObject({ payload: { type: 'content_compute_revision', spaceId: space } });
    });
    await republish(scriptThat('Walnut'));
    const next = await comesTrueOf('Tickets', (_pages, group) => expect(group).not.toHaveProperty('stale'));
    expect(next.pages[0]?.id).toBe(kept.pages[0]?.id);
    expect(await textOf(next.pages[0] as Shown)).toContain('Walnut about A');
  });

  it('are there without one whose document is bad, and its document is refused', async () => {
    const source = await insert(sourceOf({ when: 'one bad' }), 'One bad');
    const { status, body } = await compute(source);
    const pages = body['pages'] as Shown[];
    expect([status, titles(pages)]).toEqual([200, ['Ticket A', ['More', ['All of them']]]]);
    const group = await groupOf('One bad');
    expect([group.stale, titles(group.pages)]).toEqual([true, titles(pages)]);
    expect(group.pages[0]).not.toHaveProperty('stale');
    expect(await textOf(group.pages[0] as Shown)).toContain('Quince about A');
    const bad = { type: sourceOf().type, props: { id: 'B', when: 'one bad' } };
    expect(refusal(await compute(bad, 'document'))).toEqual([502, 'integration_failed', undefined]);
  });

  it('are stale while the integration is paused, and not any more when it is resumed', async () => {
    const pause = (what: 'pause' | 'resume') => world.done('POST', `${path}/${what}`);
    await pause('pause');
    await comesTrueOf('Tickets', (pages, group) => expect([group.stale, pages[0]?.stale]).toEqual([true, true]));
    expect(refusal(await compute(sourceOf()))).toEqual([502, 'integration_failed', undefined]);
    await pause('resume');
    await comesTrueOf('Tickets', (_pages, group) => expect(group).not.toHaveProperty('stale'));
  });

  it('are refused where the script fails or answers what cannot be shown, and content is read all the same', async () => {
    const refused = async (when: string): Promise<unknown[]> => {
      const { status, body } = await compute(await insert(sourceOf({ when }), when));
      return [status, body.error.reason, body.error.message];
    };
    const hanging = refused('hangs');
    const malformed = (at: string) => [502, 'integration_failed', expect.stringContaining(at)];
    expect(await refused('malformed')).toEqual(malformed('pages.0.title'));
    expect(await refused('bad document')).toEqual(malformed('pages.0.computed.document.nodes.0'));
    expect(await refused('large')).toEqual(malformed('bytes'));
    const failed = await refused('fails');
    expect(failed.slice(0, 2)).toEqual([502, 'integration_failed']);
    expect(JSON.stringify(failed)).not.toContain('Quillfeather');
    expect(await groupOf('malformed')).toMatchObject({ type: 'group', pages: [], stale: true });
    expect(await hanging).toEqual([504, 'integration_timeout', expect.any(String)]);
  }, 60_000);

  it('need a source that is declared, and the integration on the space', async () => {
    const unknown = { type: `integration:${name}:none`, props: {} };
    expect(refusal(await compute(await insert(unknown, 'Unknown')))).toEqual([404, 'not_found', 'body.source.type']);
    const nowhere = await insert({ type: 'integration:nowhere:tickets', props: {} }, 'Nowhere');
    expect(refusal(await compute(nowhere))).toEqual([404, 'not_found', 'body.source.type']);
    const capitals = await compute(
      await insert({ type: `integration:${name.toUpperCase()}:tickets`, props: {} }, 'Capitals'),
    );
    expect(refusal(capitals)).toEqual([404, 'not_found', 'body.source.type']);
    expect(JSON.stringify(capitals.body)).toContain(`the integration is ${name}`);
    // Nobody has a script do anything else than what the content says.
    expect(refusal(await compute(sourceOf({ other: 1 })))).toEqual([404, 'not_found', 'body.source']);
    expect((await compute(sourceOf(), 'revision', world.stranger)).status).toBe(404);
    const bad = { operation: 'insert_computed', computed: { type: `integration:${name}`, props: {} } };
    const answer = await world.send('POST', `/spaces/${space}/content`, { changes: [bad] });
    expect([answer.status, answer.body.error.details?.[0]?.path]).toEqual([400, 'body.changes[0].computed.type']);
    const outside = await openSpace('Outside');
    await insert(sourceOf(), 'Tickets', outside);
    expect(await pagesOf(outside)).toMatchObject([{ title: 'Tickets', pages: [] }]);
    await world.done('DELETE', `${path}/spaces/${space}`);
    await comesTrueOf('Tickets', (pages, group) => {
      expect(pages).toEqual([]);
      expect(group).not.toHaveProperty('computedSeed');
    });
    expect(refusal(await compute(sourceOf()))).toEqual([404, 'not_found', 'body.source.type']);
  });

  const broken = `return runtime.createIntegration({ contentSources: [{ sourceId: 'tickets', compute: async () => { throw new Error('x'); } }] });`;

  /** The computed page with a title, once what is said of its pages comes true. */
  async function comesTrueOf(title: string, holds: (pages: Shown[], group: Shown) => void): Promise<Shown> {
    let group: Shown | undefined;
    await comesTrue(async () => {
      group = await groupOf(title);
      holds(group.pages, group);
    });
    return group as Shown;
  }
}
