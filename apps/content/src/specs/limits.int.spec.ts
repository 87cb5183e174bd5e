import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mergeBranch, openBranch, updateBranch, writeBranch, type TextChange } from '@scriptorium/contracts';
import { connectAsker } from '../test/ask.js';
import { startRig, type Rig } from '../test/rig-with-store.js';
import { makeSpace, refusal } from '../test/spaces.js';

describe('an organization', () => {
  let rig: Rig;
  let spaces: string;
  beforeAll(async () => {
    rig = await startRig({
      MAX_SPACES_PER_ORGANIZATION: '3',
      MAX_GRANTS_PER_ORGANIZATION: '5',
      MAX_PAGES_PER_SPACE: '3',
      MAX_FILES_PER_SPACE: '1',
      MAX_VARIABLES_PER_SPACE: '2',
    });
    spaces = `/orgs/${rig.organization}/spaces`;
  }, 60_000);
  afterAll(() => rig.stop());

  it('has so many spaces, whoever asks at the same moment, and so many grants', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => rig.send('POST', spaces)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)?.body.error;
    expect([refused?.reason, refused?.details?.[0]?.path]).toEqual(['limit_reached', 'spacesPerOrganization']);
    const [space] = answers.flatMap(({ status, body }) => (status === 201 ? [String(body['id'])] : []));
    // What can be restored takes up room.
    await rig.send('DELETE', `/spaces/${String(answers.findLast(({ status }) => status === 201)?.body['id'])}`);
    expect((await rig.send('POST', spaces)).status).toBe(409);
    expect((await rig.send('GET', spaces)).body['count']).toBe(2);
    const people = await Promise.all(['Ann', 'Bob', 'Cleo'].map((name) => rig.member(name, 'read')));
    const give = (users: string[]) =>
      rig.send('POST', `/spaces/${space}/permissions`, { body: { role: 'edit', users } });
    const ids = people.map(({ id }) => id);
    const { error } = (await give(ids)).body;
    expect([error.reason, error.details?.[0]?.path]).toEqual(['limit_reached', 'grantsPerOrganization']);
    expect((await give(ids.slice(0, 2))).status).toBe(204);
    expect((await give(ids.slice(0, 2))).status).toBe(204);
    expect((await give(ids.slice(2))).status).toBe(409);
  });

  it('has so many pages in a space, also by a merge', async () => {
    const ask = await connectAsker(rig);
    const other = String((await rig.send('POST', '/orgs', { body: { title: 'Other' } })).body['id']);
    const made = await rig.send('POST', `/orgs/${other}/spaces`, { body: { editMode: 'live' } });
    const id = { space: String(made.body['id']), branch: 'request' };
    const page = (title: string) => ({ operation: 'insert_page' as const, title, document: { markdown: '' } });
    await ask(openBranch, id);
    const write = (changes: TextChange[]) => ask(writeBranch, { ...id, write: { changes } });
    const refused = { refused: 'limit_reached', path: 'pagesPerSpace' };
    expect(await write([page('A'), page('B'), page('C')])).toEqual(refused);
    expect(await write([page('A'), page('B')])).not.toEqual(refused);
    await rig.send('POST', `/spaces/${id.space}/content`, { body: { changes: [page('D')] } });
    expect(await ask(mergeBranch, { ...id, attempt: 'once' })).toEqual(refused);
    expect(await ask(updateBranch, id)).toEqual(refused);
    expect(await ask(openBranch, { ...id, branch: 'other', template: { id: 'changelog' } })).toEqual(refused);
    await ask.close();
  });

  it('has so many files and variables in a space, whatever brings them, and stores nothing of what it refuses', async () => {
    const other = String((await rig.send('POST', '/orgs', { body: { title: 'Third' } })).body['id']);
    const space = await makeSpace(rig, {}, `/orgs/${other}`);
    const change = async (...changes: object[]) => {
      const answer = await rig.send('POST', `/spaces/${space}/content`, { body: { changes } });
      return answer.status === 200 ? 200 : refusal(answer);
    };
    const file = (text: string) => ({
      operation: 'insert_files',
      files: [{ name: text, contentType: 'text/plain', base64: Buffer.from(text).toString('base64') }],
    });
    const stored = () => rig.store.database.collection('op_files').countDocuments();
    expect(await change(file('first'))).toBe(200);
    expect(await change(file('second'))).toEqual([409, 'limit_reached', 'filesPerSpace']);
    expect(await stored()).toBe(1);

    const refused = [409, 'limit_reached', 'variablesPerSpace'];
    const page = (markdown: string, more: object = {}) => ({
      operation: 'insert_page',
      title: 'P',
      document: { markdown },
      ...more,
    });
    const three = { a: '1', b: '2', c: '3' };
    expect(await change({ operation: 'set_variables', variables: three })).toEqual(refused);
    expect(await change(page('', { variables: three }))).toEqual(refused);
    expect(await change(page('---\nvars:\n  a: x\n  b: y\n  c: z\n---\n'))).toEqual(refused);
    expect(await change(page('', { variables: { a: '1', b: '2' } }))).toBe(200);
  });
});
