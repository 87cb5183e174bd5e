import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mergeBranch, openBranch, updateBranch, writeBranch } from '@scriptorium/contracts';
import { connectAsker, type Asker } from '../../test/ask.js';
import { startRig, type Rig } from '../../test/rig-with-store.js';
import { makeSpace, refusal } from '../../test/spaces.js';
import { release, space as spaceStream } from './space.js';
import { titleWith } from './title-with.js';

describe('the result of a translation', () => {
  let rig: Rig;
  let ask: Asker;
  let id: string;
  let path: string;
  const request = `request-${randomUUID()}`;
  beforeAll(async () => {
    rig = await startRig();
    ask = await connectAsker(rig);
    id = await makeSpace(rig, { title: 'Handbook (DE)' });
    path = `/spaces/${id}`;
    const document = { markdown: '# Title\n\nText.\n' };
    await rig.send('POST', `${path}/content`, { body: { changes: [{ operation: 'insert_page', document }] } });
    await ask(openBranch, { space: id, branch: request });
    await change(() => [{ type: 'SpaceHeld', data: { translation: 't1' } }]);
  }, 120_000);
  afterAll(async () => {
    await ask.close();
    await rig.stop();
  });

  /** What no operation of the API does. */
  async function change(decide: Parameters<typeof handle>[0]): Promise<void> {
    await handle(decide);
    const isHeld = async () => (await rig.send('GET', path)).body['readOnly'] !== undefined;
    const { state } = await handle(() => []);
    const wanted = state.status === 'active' && state.readOnly !== null;
    const end = Date.now() + 20_000;
    while ((await isHeld()) !== wanted) if (Date.now() > end) throw new Error('The space is not shown as it is');
  }
  function handle(decide: (state: Parameters<typeof release>[0]) => ReturnType<typeof release>) {
    const actor = { kind: 'system', id: 'spec' } as const;
    const context = { actor, organization: rig.organization, operation: 'spec', correlation: 'spec' };
    return rig.store.scope(context, {}).within({ space: id }).handle(spaceStream, id, decide, { wait: false });
  }

  const revisionOf = async () => String((await rig.send('GET', `${path}/content`)).body['id']);
  const insert = { changes: [{ operation: 'insert_page', title: 'New', document: { markdown: 'New.' } }] };

  it('says which translation makes it', async () => {
    expect((await rig.send('GET', path)).body).toMatchObject({
      readOnly: { translation: 't1' },
      permissions: { admin: true, edit: false, merge: false, comment: true },
    });
  });

  it('refuses every write of content', async () => {
    const before = await revisionOf();
    const source = { type: 'url', url: 'https://docs.example/a.md' };
    const writes: [string, object?][] = [
      [`${path}/content`, insert],
      [`${path}/content/template`, { id: 'blank' }],
      [`${path}/revisions/${before}/rollback`],
      [`${path}/change-requests/${request}/content`, insert],
      [`${path}/content/template`, { id: 'blank', changeRequestId: request }],
      [`/orgs/${rig.organization}/imports`, { source, target: { space: id } }],
      [`/orgs/${rig.organization}/imports`, { source, target: { space: id, changeRequest: request } }],
    ];
    for (const [to, body] of writes) {
      const answer = await rig.send('POST', to, body === undefined ? {} : { body });
      expect([to, ...refusal(answer).slice(0, 2)]).toEqual([to, 403, 'space_read_only']);
    }
    expect(await revisionOf()).toBe(before);
  });

  it('refuses what change requests would do to it', async () => {
    const branch = { space: id, branch: request };
    const refused = { refused: 'space_read_only' };
    expect(await ask(openBranch, { space: id, branch: randomUUID() })).toMatchObject(refused);
    const page = { operation: 'insert_page' as const, title: 'New', document: { markdown: 'New.' } };
    const write = { changes: [page] };
    expect(await ask(writeBranch, { ...branch, write })).toMatchObject(refused);
    expect(await ask(updateBranch, branch)).toMatchObject(refused);
    expect(await ask(mergeBranch, { ...branch, attempt: 'a1' })).toMatchObject(refused);
  });

  it('takes settings and grants, and may be duplicated', async () => {
    const user = await rig.member('Gwen Guest', null);
    const done = await Promise.all([
      rig.send('PATCH', path, { body: { title: 'Handbuch', defaultLevel: 'read', editMode: 'live' } }),
      rig.send('POST', `${path}/permissions`, { body: { role: 'read', users: [user.id] } }),
    ]);
    expect(done.map(({ status }) => status)).toEqual([200, 204]);
    const copy = await rig.send('POST', `${path}/duplicate`);
    expect(copy.body).not.toHaveProperty('readOnly');
    const edited = await rig.send('POST', `/spaces/${String(copy.body['id'])}/content`, { body: insert });
    expect(edited.status).toBe(200);
    expect(refusal(await rig.send('POST', `${path}/content`, { body: insert }))[1]).toBe('space_read_only');
  });

  it('is an ordinary space once its translation is gone', async () => {
    await change((state) => release(state, 'another'));
    expect((await rig.send('GET', path)).body).toHaveProperty('readOnly');
    await change((state) => release(state, 't1'));
    expect((await rig.send('GET', path)).body).not.toHaveProperty('readOnly');
    expect((await rig.send('POST', `${path}/content`, { body: insert })).status).toBe(200);
  });
});

describe('the title of a result', () => {
  it('is cut so that its language fits', () => {
    expect(titleWith('Handbook', ' (PT-BR)')).toBe('Handbook (PT-BR)');
    const long = titleWith('😀'.repeat(40), ' (DE)');
    expect([long.length, long.endsWith('😀 (DE)')]).toEqual([49, true]);
  });
});
