import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIssuer, type TokenIssuer } from '@scriptorium/testing/token-issuer';
import { changeContentOf, page } from '../../test/pages.js';
import { get, startRig, type Rig } from '../../test/rig.js';
import { makeSpace } from '../../test/spaces.js';
import { computedOf, shop, specFile } from '../../test/specifications.js';

const text = `<details>

<summary>More</summary>

Hidden[^1]

</details>

| Name |
| ---- |
| a    |

{% include "/reusable/shared" %}

{% embed url="https://away.example/" %}

![A picture](/files/spec)

[^1]: A note.
`;

describe('content as existing clients expect it', () => {
  let rig: Rig;
  let issuer: TokenIssuer;
  let space: string;
  let refs: Record<string, string>;

  beforeAll(async () => {
    rig = await startRig();
    issuer = await startIssuer(rig);
    space = await makeSpace(rig);
    refs = await changeContentOf(rig, space, [
      { operation: 'insert_files', files: [specFile(shop('List orders'), { ref: 'spec' })] },
      { operation: 'insert_reusable_content', ref: 'shared', title: 'Shared', document: { markdown: 'Twice' } },
      { operation: 'insert_group', ref: 'group', title: 'Group' },
      page('Text', text, { ref: 'text' }),
      { operation: 'insert_link', ref: 'link', title: 'Link', target: { kind: 'url', url: 'https://x.example/' } },
      { operation: 'insert_computed', ref: 'api', computed: computedOf('spec') },
    ]);
  }, 60_000);
  afterAll(async () => {
    await issuer.close();
    await rig.stop();
  });

  const read = async (path: string, more: object = {}) => {
    const { status, body } = await rig.send('GET', `/spaces/${space}${path}`, more);
    expect(status).toBe(200);
    return body;
  };
  const kinds = (body: object): unknown[] =>
    (get(body, 'pages') as Record<string, unknown>[]).map(({ type, kind }) => [type, kind]);

  it('has the kinds of pages, and what pages are computed from as the group of them', async () => {
    const all = [
      ['group', 'group'],
      ['document', 'sheet'],
      ['link', 'link'],
    ];
    const pages = await read('/content/pages');
    expect(kinds(pages)).toEqual([...all, ['group', 'group']]);
    expect([get(pages, 'pages.3.computed.type'), kinds(get(pages, 'pages.3') as object).length]).toEqual([
      'builtin:openapi',
      2,
    ]);
    expect(kinds(await read('/content?computed=false'))).toEqual([...all, ['computed', undefined]]);
    expect(get(await read(`/content/page/${refs['api'] ?? ''}`), 'type')).toBe('group');
  });

  it('has documents whose parts say what they are, and is the same when they are written back', async () => {
    const { document, documentId } = await read(`/content/page/${refs['text'] ?? ''}`);
    const written = JSON.stringify(document);
    for (const part of ['"type":"expandable-body"', '"type":"annotation-body"', '"textAlignment":"left"'])
      expect(written).toContain(part);
    expect(await read(`/documents/${String(documentId)}`)).toEqual(document);
    const before = (await read('/content'))['id'];
    const change = { operation: 'update_page', page: refs['text'], document };
    const answer = await rig.send('POST', `/spaces/${space}/content`, { body: { changes: [change] } });
    expect([answer.status, answer.body['revision']]).toEqual([200, before]);
  });

  it('names the document of a reusable content by its id', async () => {
    const shared = await read(`/content/reusable-contents/${refs['shared'] ?? ''}`);
    expect(shared).toMatchObject({ markdown: 'Twice\n', content: { object: 'document' } });
    expect(await read(`/documents/${String(shared['document'])}`)).toEqual(shared['content']);
  });

  it('gives visitors no access to the application', async () => {
    const token = await issuer.visit([space]);
    expect(get(await read(''), 'permissions')).toMatchObject({ view: true, access: true });
    expect(get(await read('', { token }), 'permissions')).toMatchObject({ view: true, access: false });
  });

  it('shows pages whose embeds, includes and pictures lead nowhere any more', async () => {
    await changeContentOf(rig, space, [
      { operation: 'delete_reusable_content', reusableContent: refs['shared'] },
      { operation: 'delete_file', file: refs['spec'] },
    ]);
    for (const query of ['', '?format=markdown', '?dereferenced=true&evaluated=true', '?format=document']) {
      const shown = await read(`/content/page/${refs['text'] ?? ''}${query}`);
      expect(JSON.stringify(shown)).toContain('away.example');
    }
    expect(kinds(await read('/content/pages'))).toHaveLength(4);
  });
});
