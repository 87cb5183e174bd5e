import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withReplaced } from '@scriptorium/event-sourcing/testing';
import { eventually, startRig, type Rig } from '../../../test/rig-with-store.js';
import { makeSpace } from '../../../test/spaces.js';
import { branch } from '../../../versions/index.js';
import { createResult } from './create-result.process.js';

describe('a space that a translation makes', () => {
  let rig: Rig;
  beforeAll(async () => void (rig = await startRig()), 60_000);
  afterAll(() => rig.stop());

  it('stands beside its source, also when that is moved meanwhile', async () => {
    const source = await makeSpace(rig);
    const document = { markdown: 'Text.' };
    const changes = [{ operation: 'insert_page', title: 'Page', document }];
    expect((await rig.send('POST', `/spaces/${source}/content`, { body: { changes } })).status).toBe(200);
    const { body } = await rig.send('POST', `/orgs/${rig.organization}/collections`, { body: { title: 'Manuals' } });
    const parent = String(body['id']);
    const main = await rig.store.load(branch, source);
    if (main.status !== 'open' || main.head === null) throw new Error('There is no content');

    const id = `result-of-${source}`;
    const context = { actor: { kind: 'system' as const, id: 'spec' }, operation: 'spec', correlation: 'spec' };
    const store = rig.store.scope({ ...context, organization: rig.organization, idem: id }, {});
    // What the source grants is read after its place.
    const load: typeof store.load = async (aggregate, of) => {
      await rig.send('POST', `/spaces/${source}/move`, { body: { parent } });
      return store.load(aggregate, of);
    };
    const counts = { pages: 1, files: 0, reusableContents: 0, variables: 0 };
    const { tree } = main.head;
    const first = { revision: 'first', tree, type: 'computed' as const, mergedFrom: null, counts, changes: [] };
    const limits = { spacesPerOrganization: 1_000_000 } as Parameters<typeof createResult>[0]['limits'];
    const wanted = { id, translation: 't1', source, language: 'de', pool: source, first };
    await createResult({ store: withReplaced(store, { load }), limits }, wanted);
    const shown = async () => (await rig.send('GET', `/spaces/${id}`)).body;
    await eventually(async () => (await shown())['id'] === id);
    expect(await shown()).toMatchObject({ parent, readOnly: { translation: 't1' } });
  });
});
