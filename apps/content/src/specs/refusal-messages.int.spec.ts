import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRig, type Answer, type Person, type Rig } from '../test/rig.js';

const lacks = (level: string, thing: string) =>
  `You must have the level \`${level}\`${level === 'admin' ? '' : ' or a higher one'} on the ${thing}`;

describe('a refusal says which level is missing, and on what', () => {
  let rig: Rig;
  let org: string;
  let reader: Person;
  let editor: Person;
  let space: string;
  let collection: string;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    [reader, editor] = await Promise.all([rig.member('Rea Der', 'read'), rig.member('Edi Tor', 'edit')]);
    space = String((await rig.send('POST', `${org}/spaces`, { body: { title: 'One' } })).body['id']);
    collection = String((await rig.send('POST', `${org}/collections`, { body: { title: 'Shelf' } })).body['id']);
  }, 60_000);
  afterAll(() => rig.stop());

  const refusal = ({ status, body: { error } }: Answer) => [
    status,
    error.reason,
    error.message,
    error.details?.[0]?.path,
  ];
  const ask = async (person: Person, path: string, body?: object) =>
    refusal(await rig.send('POST', path, { token: person.token, ...(body && { body }) }));
  const file = { name: 'a.txt', type: 'text/plain', size: 1 };

  it('to create something at the top of an organization', async () => {
    for (const kind of ['spaces', 'collections'])
      expect(await ask(editor, `${org}/${kind}`, { title: 'A' })).toEqual([
        403,
        'forbidden',
        lacks('create', 'organization'),
        'body.parent',
      ]);
  });

  it('to create something in a collection, and to move something there', async () => {
    const refused = [403, 'forbidden', lacks('create', 'collection'), 'body.parent'];
    for (const kind of ['spaces', 'collections'])
      expect(await ask(editor, `${org}/${kind}`, { title: 'A', parent: collection })).toEqual(refused);
    await rig.send('POST', `/spaces/${space}/permissions`, { body: { role: 'create', users: [editor.id] } });
    expect(await ask(editor, `/spaces/${space}/move`, { parent: collection })).toEqual(refused);
  });

  it('to duplicate a space', async () => {
    expect(await ask(editor, `/spaces/${space}/duplicate`)).toEqual([
      403,
      'forbidden',
      lacks('create', 'organization'),
      undefined,
    ]);
  });

  it('to upload a file', async () => {
    expect(await ask(reader, `${org}/storage/upload`, { file, kind: 'space_file' })).toEqual([
      403,
      'forbidden',
      lacks('edit', 'organization, or on a space or collection of it'),
      undefined,
    ]);
  });

  it('to import into a space', async () => {
    const body = { source: { type: 'url', url: 'https://example.org/a.zip' }, target: { space } };
    expect(await ask(reader, `${org}/imports`, body)).toEqual([
      403,
      'forbidden',
      lacks('edit', 'space'),
      'body.target.space',
    ]);
  });

  it('to invite by a link', async () => {
    expect(await ask(reader, `${org}/link-invites`, { role: 'read' })).toEqual([
      403,
      'forbidden',
      lacks('admin', 'organization'),
      undefined,
    ]);
    expect(await ask(reader, `${org}/link-invites`, { level: 'read', space })).toEqual([
      403,
      'forbidden',
      lacks('create', 'space'),
      'body.space',
    ]);
    expect(await ask(reader, `${org}/link-invites`, { level: 'read', collection })).toEqual([
      403,
      'forbidden',
      lacks('create', 'collection'),
      'body.collection',
    ]);
  });
});
