import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { changeContentOf, page } from '../../../test/pages.js';
import { eventually, get, startRig, type Rig } from '../../../test/own-rig.js';
import { makeSpace } from '../../../test/spaces.js';
import { shop, specFile } from '../../../test/specifications.js';
import { putSpec } from '../../../test/specs.js';

jest.setTimeout(120_000);

describe('blocks of specifications whose bytes are away for a moment', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterAll(async () => {
    await rig.stop();
  });

  it.each([
    ['a file', 'src="/files/spec"', 'openapi'],
    ['a specification of the organization', 'spec="lost"', 'openapi-operation'],
  ])('are whole again with them, with another entity tag: %s', async (_what, ref, tag) => {
    await putSpec(rig, 'lost', JSON.parse(shop('List orders')) as object);
    const space = await makeSpace(rig);
    const block = `{% ${tag} ${ref} path="/orders" method="get" %}\n{% end${tag} %}`;
    const ids = await changeContentOf(rig, space, [
      { operation: 'insert_files', files: [specFile(shop('List orders'), { ref: 'spec' })] },
      page('Orders', block, { ref: 'orders' }),
    ]);
    const path = `/spaces/${space}/content/page/${ids['orders'] ?? ''}?format=document&dereferenced=true`;
    const read = async (headers: Record<string, string> = {}) => {
      const { status, body, headers: given } = await rig.send('GET', path, { headers });
      const [node] = (get(body, 'document.nodes') ?? []) as { data: { resolved?: { operation?: object } | null } }[];
      return { status, etag: given.get('etag') ?? '', isThere: node?.data.resolved?.operation !== undefined };
    };
    const folder = join(rig.folder, 'files');
    await rename(folder, `${folder}.away`);
    const partial = await read();
    await rename(`${folder}.away`, folder);
    expect([partial.status, partial.isThere]).toEqual([200, false]);
    await eventually(async () => (await read()).isThere);
    const whole = await read();
    expect(whole.etag).not.toBe(partial.etag);
    expect((await read({ 'if-none-match': partial.etag })).status).toBe(200);
  });
});
