import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mergeBranch, openBranch, readBranch, reopenBranch, updateBranch, writeBranch } from '@scriptorium/contracts';
import { randomUUID } from 'node:crypto';
import { branch } from '../branches/index.js';
import { edit, page, startRequestRig, text } from '../../test/change-requests.js';
import { eventually } from '../../test/rig-with-store.js';

describe('the merge of a change request', () => {
  let rig: Awaited<ReturnType<typeof startRequestRig>>;
  beforeAll(async () => void (rig = await startRequestRig({ alone: true })), 60_000);
  afterAll(() => rig.stop());
  /**
   * What is left of the first attempt at a merge whose process died before it could record that the change request is
   * merged.
   */
  const breakMerge = async ({ space, branch: id }: { space: string; branch: string }, revision: string) => {
    const [main, own] = [await rig.rig.store.load(branch, space), await rig.rig.store.load(branch, id)];
    const heads = [main, own].map((one) => (one.status === 'open' ? one.head : null));
    const [before, head] = heads.flatMap((one) => one ?? []);
    if (before === undefined || head === undefined) throw new Error('There is nothing to merge');
    const counts = { pages: 2, files: 0, reusableContents: 0, variables: 0 };
    const data = {
      ...{ space, revision, number: before.number + 1, parents: [before.revision, head.revision], tree: head.tree },
      ...{ type: 'merge' as const, mergedFrom: id, counts, changes: [], more: 0 },
    };
    const context = { actor: { kind: 'system' as const, id: 'spec' }, operation: 'spec', correlation: 'spec' };
    await rig.rig.store
      .scope({ ...context, organization: rig.rig.organization, idem: `merge:${id}:first:${head.revision}` }, {})
      .handle(branch, space, () => [{ type: 'RevisionCreated' as const, data }]);
  };

  it('is found merged after a merge that broke off, and loses nothing that was written meanwhile', async () => {
    const { space, a, write, merge, state } = await rig.begin();
    await write([text(a, 'One: ours.\n\nTwo.\n\nThree.')]);
    const attempt = randomUUID();
    const merged = (await merge(attempt)) as { revision: string };
    const broken = { space, branch: 'brokenOff' };
    await rig.done(openBranch, broken);
    await rig.done(writeBranch, { ...broken, write: { changes: [text(a, 'One: ours, and more.\n\nTwo.\n\nThree.')] } });
    await breakMerge(broken, 'brokenMerge');
    await eventually(async () => (await rig.done(readBranch, broken)).main === 'brokenMerge');
    await rig.done(writeBranch, {
      ...broken,
      write: { changes: [text(a, 'One: ours, and much more.\n\nTwo.\n\nThree.')] },
    });
    const again = await rig.done(mergeBranch, { ...broken, attempt: 'first' });
    expect(again).toMatchObject({ result: 'merge' });
    expect(await rig.markdown(`/spaces/${space}`, a)).toContain('One: ours, and much more.');
    expect(await rig.done(mergeBranch, { ...broken, attempt: 'first' })).toEqual(again);
    expect(await merge(attempt)).toEqual({ result: 'merge', revision: merged.revision });
    expect((await state()).merged).toBe(merged.revision);
  });

  it('answers a repeated attempt the same when a merge broke off', async () => {
    const { space, a } = await rig.begin();
    const broken = { space, branch: 'brokenToo' };
    await rig.done(openBranch, broken);
    await rig.done(writeBranch, { ...broken, write: { changes: [edit(a, { title: 'Ours' })] } });
    await breakMerge(broken, 'brokenMergeToo');
    for (let round = 0; round < 2; round += 1)
      expect(await rig.done(mergeBranch, { ...broken, attempt: 'first' })).toEqual({
        result: 'merge',
        revision: 'brokenMergeToo',
      });
    expect((await rig.read(`/spaces/${space}/revisions`)).body['count']).toBe(3);
  });

  it('loses no edit of fifty merges at once, on two replicas', async () => {
    const { space, a } = await rig.begin();
    const replica = await rig.rig.replica('content');
    const ids = Array.from({ length: 50 }, (_, i) => ({ space, branch: `many${i}` }));
    for (const id of ids) await rig.done(openBranch, id);
    await Promise.all(
      ids.map((id, i) =>
        rig.done(writeBranch, {
          ...id,
          write: { changes: i % 10 === 0 ? [edit(a, { title: `Title ${i}` })] : [page(`Page ${i}`)] },
        }),
      ),
    );
    const answers = await Promise.all(ids.map((id) => rig.done(mergeBranch, { ...id, attempt: 'once' })));
    const results = answers.map(({ result }) => result);
    expect(results.filter((result) => result === 'conflicts').length).toBe(4);
    expect(results.filter((result) => result === 'merge').length).toBe(46);
    const shown = await rig.titles(`/spaces/${space}`);
    for (const [i, { result }] of answers.entries())
      expect([i, shown.includes(i % 10 === 0 ? `Title ${i}` : `Page ${i}`)]).toEqual([i, result === 'merge']);
    expect((await rig.read(`/spaces/${space}/revisions`)).body['count']).toBe(2 + 46);
    await replica.stop();
  }, 120_000);

  it('is refused where there is nothing, in another space, and beyond what a space can have', async () => {
    const { space, id, a, write } = await rig.begin();
    const nothing = { refused: 'not_found', path: undefined };
    const { space: other } = await rig.begin();
    for (const wrong of [
      { space, branch: 'nothing' },
      { space, branch: space },
      { space: other, branch: id.branch },
      { space: 'nothing', branch: id.branch },
    ]) {
      expect(await rig.ask(readBranch, wrong)).toEqual(nothing);
      expect(await rig.ask(updateBranch, wrong)).toEqual(nothing);
      expect(await rig.ask(reopenBranch, wrong)).toEqual(nothing);
      expect(await rig.ask(writeBranch, { ...wrong, write: { changes: [page('X')] } })).toEqual(nothing);
      expect(await rig.ask(mergeBranch, { ...wrong, attempt: 'once' })).toEqual(nothing);
    }
    expect(await rig.ask(openBranch, { space: 'nothing', branch: 'new' })).toEqual(nothing);
    expect(await rig.ask(openBranch, { space: other, branch: id.branch })).toEqual(nothing);
    expect(await rig.ask(openBranch, { space, branch: space })).toEqual(nothing);
    expect(await rig.ask(writeBranch, { ...id, write: { changes: [edit('nothing', { title: 'X' })] } })).toEqual({
      refused: 'content_change_invalid',
      path: 'body.changes[0].page',
    });
    const { revision: base } = await write([page('C')]);
    await write([page('D')]);
    const stale = { ...id, write: { changes: [page('E')], base } };
    expect(await rig.ask(writeBranch, stale)).toEqual({ refused: 'precondition_failed', path: 'body.base' });
    const keyed = { ...id, write: { changes: [page('E')] } };
    const [once, again] = [
      await rig.ask(writeBranch, keyed, { key: 'k' }),
      await rig.ask(writeBranch, keyed, { key: 'k' }),
    ];
    expect(again).toEqual(once);
    await rig.edited(space, [edit(a, { title: 'Theirs' })]);
    await write([edit(a, { title: 'Ours' })]);
    const before = await rig.done(readBranch, id);
    await rig.done(writeBranch, { ...id, write: { changes: [page('F')] } }, { dry: true });
    await rig.done(mergeBranch, { ...id, attempt: 'dry' }, { dry: true });
    const dry = await rig.done(updateBranch, id, { dry: true });
    expect(dry).toMatchObject({ result: 'conflicts', conflicts: [{ attribute: 'title', page: { title: 'Ours' } }] });
    expect(await rig.done(readBranch, id)).toEqual(before);
    await rig.rig.send('DELETE', `/spaces/${space}`);
    expect(await rig.ask(writeBranch, keyed)).toEqual(nothing);
    expect(await rig.ask(mergeBranch, { ...id, attempt: 'once' })).toEqual(nothing);
    expect(await rig.done(readBranch, id)).toMatchObject({ head: before.head });
  });
});
