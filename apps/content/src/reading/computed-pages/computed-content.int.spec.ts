import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIssuer, type TokenIssuer } from '@scriptorium/testing/token-issuer';
import { changeContentOf, page } from '../../test/pages.js';
import { get, startRig, type Rig } from '../../test/rig.js';
import { makeSpace, refusal } from '../../test/spaces.js';
import { computedOf, shop, specFile } from '../../test/specifications.js';

interface Shown {
  id: string;
  title: string;
  path: string;
  computed: object;
  computedSeed: string;
  documentId?: string;
  pages: Shown[];
}

describe('content that is computed from a source that the caller names', () => {
  let rig: Rig;
  let issuer: TokenIssuer;
  let space: string;
  let refs: Record<string, string>;
  let api: Shown;

  beforeAll(async () => {
    rig = await startRig();
    issuer = await startIssuer(rig);
    space = await makeSpace(rig);
    const files = [
      specFile(shop('List orders'), { ref: 'spec' }),
      specFile(shop('List secrets'), { name: 'unused.json', ref: 'unused' }),
      { name: 'no.txt', contentType: 'text/plain', base64: 'QQ==', ref: 'text' },
    ];
    refs = await changeContentOf(rig, space, [
      page('Guide', 'See [it](/files/spec).'),
      { operation: 'insert_files', files },
      { operation: 'insert_computed', ref: 'first', computed: computedOf('spec') },
      { operation: 'insert_computed', ref: 'second', computed: computedOf('spec') },
    ]);
    const pages = get((await rig.send('GET', `/spaces/${space}/content/pages`)).body, 'pages') as Shown[];
    api = pages[2] as Shown;
  }, 60_000);
  afterAll(async () => {
    await issuer.close();
    await rig.stop();
  });

  const compute = (what: 'document' | 'revision', body: object, more: object = {}) =>
    rig.send('POST', `/spaces/${space}/content/computed/${what}`, { body, ...more });
  const pagesOf = async (body: object): Promise<Shown[]> => {
    const answer = await compute('revision', body);
    expect([answer.status, answer.body['files'], answer.body['reusableContents']]).toEqual([200, [], []]);
    return answer.body['pages'] as Shown[];
  };
  const source = () => computedOf(refs['spec'] ?? '');

  it('has the pages of a computed page with the same source, at the top; the seed tells which one', async () => {
    expect(api.id).toBe(refs['second']);
    const pages = await pagesOf({ source: source(), seed: api.computedSeed });
    const seen = ({ id, title, computed, computedSeed }: Shown) => ({ id, title, computed, computedSeed });
    expect(pages.map(seen)).toEqual(api.pages.map(seen));
    expect(pages.map(({ path, documentId }) => [path, documentId])).toEqual([
      ['orders', undefined],
      ['models', undefined],
    ]);
    const [first] = await pagesOf({ source: source() });
    expect([first?.title, first?.computed]).toEqual(['Orders', api.pages[0]?.computed]);
  });

  it('has the documents of pages by what they are computed from', async () => {
    for (const { id, computed, computedSeed } of api.pages) {
      const stored = await rig.send('GET', `/spaces/${space}/content/page/${id}?format=document`);
      const answer = await compute('document', { source: computed, seed: computedSeed });
      expect([answer.status, answer.body]).toEqual([200, stored.body['document']]);
    }
  });

  it('needs no computed page, and has the same ids each time', async () => {
    const undeclared = { source: computedOf(refs['unused'] ?? '', {}) };
    const pages = await pagesOf(undeclared);
    expect(pages.map(({ title }) => title)).toEqual(['Orders']);
    expect(await pagesOf(undeclared)).toEqual(pages);
    const models = computedOf(refs['unused'] ?? '', { doc: 'models' });
    expect(get((await compute('document', { source: models })).body, 'nodes.0.type')).toBe('heading-1');
  });

  it('refuses what cannot be computed, and names it', async () => {
    const of = (file: string, props?: object) => ({ source: computedOf(file, props) });
    const dependencies = 'body.source.dependencies';
    const specification = { ...source(), dependencies: { spec: { ref: { kind: 'openapi', spec: 'shop' } } } };
    const part = of(refs['spec'] ?? '', { doc: 'operations', page: 'Nothing' });
    const cases: ['document' | 'revision', object, unknown[]][] = [
      ['revision', of('nothing'), [404, 'not_found', `${dependencies}.spec.ref`]],
      ['revision', { source: specification }, [404, 'not_found', dependencies]],
      ['revision', of(refs['text'] ?? ''), [400, 'invalid_request', dependencies]],
      ['revision', { source: { type: 'builtin:translation' } }, [400, 'invalid_request', 'body.source.type']],
      ['revision', { source: { type: 'integration:a:b' } }, [404, 'not_found', 'body.source']],
      ['revision', {}, [400, 'invalid_request', 'body.source']],
      ['revision', { source: source(), seed: '' }, [400, 'invalid_request', 'body.seed']],
      ['document', part, [404, 'not_found', 'body.source.props']],
      // It is the source of pages, and of no document.
      ['document', { source: source() }, [400, 'invalid_request', 'body.source.props.doc']],
    ];
    for (const [what, body, expected] of cases) expect(refusal(await compute(what, body))).toEqual(expected);
    const elsewhere = await rig.send('POST', '/spaces/nothing/content/computed/revision', { body: of('f') });
    expect(elsewhere.status).toBe(404);
  });

  it('shows visitors nothing of files that no page shows them', async () => {
    const token = await issuer.visit([space]);
    expect((await compute('revision', { source: source() }, { token })).status).toBe(200);
    const unused = { source: computedOf(refs['unused'] ?? '', { doc: 'models' }) };
    expect(refusal(await compute('document', unused, { token }))).toEqual([
      404,
      'not_found',
      'body.source.dependencies.spec.ref',
    ]);
  });
});
