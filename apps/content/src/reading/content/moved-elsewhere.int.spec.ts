import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { branch } from '../../versions/branches/index.js';
import { changeContentOf, page } from '../../test/pages.js';
import { eventually, startRig, type Rig } from '../../test/rig-with-store.js';
import { makeSpace } from '../../test/spaces.js';

describe('a branch that is ahead of what is remembered or shown of it', () => {
  let rig: Rig;
  beforeAll(async () => void (rig = await startRig()), 60_000);
  afterAll(() => rig.stop());

  const headOf = async (space: string) => {
    const state = await rig.store.load(branch, space);
    if (state.status !== 'open' || state.head === null) throw new Error('There is no content');
    return state.head;
  };

  /** Another process, of which this one hears when it asks, adds a revision with the content of an earlier one. */
  const goBackElsewhere = async (space: string, tree: string, revision: string): Promise<void> => {
    const { number, revision: parent } = await headOf(space);
    const counts = { pages: 1, files: 0, reusableContents: 0, variables: 0 };
    const data = {
      ...{ space, revision, number: number + 1, parents: [parent], tree },
      ...{ type: 'rollback' as const, mergedFrom: null, counts, changes: [], more: 0 },
    };
    const context = { actor: { kind: 'system' as const, id: 'spec' }, operation: 'spec', correlation: 'spec' };
    await rig.store
      .scope({ ...context, organization: rig.organization }, {})
      .handle(branch, space, () => [{ type: 'RevisionCreated' as const, data }]);
    await eventually(async () => (await rig.send('GET', `/spaces/${space}`)).body['revision'] === revision);
  };

  const begun = async () => {
    const space = await makeSpace(rig);
    const { p = '' } = await changeContentOf(rig, space, [page('P', 'First', { ref: 'p' })]);
    const { tree } = await headOf(space);
    const change = (more: object) => rig.send('POST', `/spaces/${space}/content`, { body: { changes: [more] } });
    const write = (markdown: string) => change({ operation: 'update_page', page: p, document: { markdown } });
    const read = async () => {
      const { body } = await rig.send('GET', `/spaces/${space}/content/page/${p}?format=markdown`);
      return String(body['markdown']);
    };
    return { space, p, tree, change, write, read };
  };

  it('takes what says the same as the content that is remembered', async () => {
    const { space, tree, write, read } = await begun();
    expect((await write('Second')).status).toBe(200);
    await goBackElsewhere(space, tree, 'backOnce');
    const { status, body } = await write('Second');
    expect([status, body['revision']]).toEqual([200, expect.not.stringMatching('backOnce')]);
    expect(await read()).toContain('Second');
  });

  it('takes changes of a page that is not there in the content that is remembered', async () => {
    const { space, p, tree, change, write, read } = await begun();
    expect((await change({ operation: 'delete_page', page: p })).status).toBe(200);
    await goBackElsewhere(space, tree, 'backTwice');
    expect((await write('Third')).status).toBe(200);
    expect(await read()).toContain('Third');
  });

  it('takes changes that need the revision before, which read models do not show yet', async () => {
    const { space, p, change, write } = await begun();
    const { revision } = await headOf(space);
    for (let round = 0; round < 5; round += 1) {
      const revert = { operation: 'revert_page', page: p, revision };
      const answers = await Promise.all([
        write(`Edit ${round}`),
        change(revert),
        write(`More ${round}`),
        change(revert),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
  });

  it('refuses a base that is the newest revision only as it is remembered', async () => {
    const { space, p, tree, change } = await begun();
    expect((await change({ operation: 'update_page', page: p, title: 'Q' })).status).toBe(200);
    const { revision: base } = await headOf(space);
    await goBackElsewhere(space, tree, 'backAgain');
    const changes = [{ operation: 'update_page', page: p, title: 'R' }];
    const { status } = await rig.send('POST', `/spaces/${space}/content`, { body: { base, changes } });
    expect(status).toBe(412);
  });
});
