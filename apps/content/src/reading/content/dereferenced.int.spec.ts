import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeContentOf, page } from '../../test/pages.js';
import { makeSpace } from '../../test/spaces.js';
import { startRig, type Person, type Rig } from '../../test/rig.js';

describe('documents with what their references lead to', () => {
  let rig: Rig;
  let ann: Person;
  let guest: Person;
  let outsider: Person;
  let space: string;
  let other: string;
  let secret: string;
  let target: string;
  let hidden: string;
  beforeAll(async () => {
    rig = await startRig();
    ann = await rig.member('Ann Reader', 'read');
    guest = await rig.member('Gus Guest', null);
    outsider = await rig.person('Olaf Outside');
    [space, other, secret] = [await makeSpace(rig), await makeSpace(rig), await makeSpace(rig)];
    target = (await changeContentOf(rig, other, [page('Target', '## Part', { ref: 't' })]))['t'] ?? '';
    hidden = (await changeContentOf(rig, secret, [page('Secret', '', { ref: 't' })]))['t'] ?? '';
    await rig.send('PATCH', `/spaces/${secret}`, { body: { defaultLevel: null } });
    for (const id of [space, other])
      await rig.send('POST', `/spaces/${id}/permissions`, { body: { role: 'read', users: [guest.id] } });
  }, 60_000);
  afterAll(() => rig.stop());

  const links = () =>
    [
      `[a](/spaces/${other}/pages/${target}) [b](/spaces/${other}/pages/${target}#part)`,
      `[c](/spaces/${secret}/pages/${hidden}) [d](/spaces/${other}/pages/nothing)`,
      `[@x](mention://user/${ann.id}) [@y](mention://user/${outsider.id}) [e](/pages/own)`,
    ].join('\n\n');
  const write = async (markdown: string) =>
    (await changeContentOf(rig, space, [page('Own', '', { ref: 'own' }), page('Links', markdown, { ref: 'links' })]))[
      'links'
    ] ?? '';
  /** What is resolved, by title. */
  const resolved = async (id: string, { token }: Pick<Person, 'token'>) => {
    const path = `/spaces/${space}/content/page/${id}?format=document&dereferenced=true`;
    const { status, body } = await rig.send('GET', path, { token });
    expect(status).toBe(200);
    const found = [...JSON.stringify(body['document']).matchAll(/"resolved":(\{[^{}]*\})/g)];
    return found.map(([, json = '']) => JSON.parse(json) as { title: string; path?: string; href: string });
  };
  const titles = async (...asked: Parameters<typeof resolved>) => (await resolved(...asked)).map(({ title }) => title);

  it('name pages of other spaces that the caller may view, and people of the organization', async () => {
    const id = await write(links());
    expect(await titles(id, rig.owner)).toEqual(['Target', 'Target', 'Secret', 'Ann Reader', 'Own']);
    expect(await titles(id, ann)).toEqual(['Target', 'Target', 'Ann Reader', 'Own']);
    expect(await titles(id, guest)).toEqual(['Target', 'Target', 'Ann Reader', 'Own']);
    const [plain, anchored] = await resolved(id, ann);
    expect(plain).toMatchObject({ path: 'target', href: expect.stringContaining(`/s/${other}/${target}`) });
    expect(anchored?.href).toMatch(/#part$/);
  });

  it('are as they are now, though the revision stays', async () => {
    const id = await write(links());
    expect(await titles(id, ann)).toContain('Target');
    await changeContentOf(rig, other, [{ operation: 'update_page', page: target, title: 'Renamed' }]);
    expect(await titles(id, ann)).toContain('Renamed');
    await rig.send('PATCH', '/users/' + ann.id, { token: ann.token, body: { displayName: 'Ann Other' } });
    expect(await titles(id, rig.owner)).toContain('Ann Other');
    await changeContentOf(rig, other, [{ operation: 'update_page', page: target, title: 'Target' }]);
    await rig.send('PATCH', '/users/' + ann.id, { token: ann.token, body: { displayName: 'Ann Reader' } });
  });

  it('are the same for documents that are too long for the thread of requests', async () => {
    const long = 'Some **more** words that make the document long, which they do.\n\n'.repeat(2_000);
    const id = await write(`${links()}\n\n${long}`);
    expect(await titles(id, rig.owner)).toEqual(['Target', 'Target', 'Secret', 'Ann Reader', 'Own']);
    expect(await titles(id, ann)).toEqual(['Target', 'Target', 'Ann Reader', 'Own']);
  });

  it('contain reusable contents that include each other, however long they are', async () => {
    const long = 'Words of the contents.\n\n'.repeat(3_000);
    const content = (ref: string, markdown: string) => ({
      operation: 'insert_reusable_content',
      ref,
      title: ref,
      document: { markdown },
    });
    const refs = await changeContentOf(rig, space, [
      content('inner', `[a](/spaces/${other}/pages/${target})\n\n${long}`),
      content('outer', '{% include "/reusable-content/inner" %}\n\nOuter.'),
      page('Including', '{% include "/reusable-content/outer" %}\n\nText.', { ref: 'p' }),
    ]);
    expect(await titles(refs['p'] ?? '', ann)).toEqual(['Target']);
    const path = `/spaces/${space}/content/page/${refs['p'] ?? ''}?format=markdown&dereferenced=reusable-contents`;
    const { body } = await rig.send('GET', path);
    for (const part of ['Words of the contents.', 'Outer.', 'Text.']) expect(body['markdown']).toContain(part);
  });
});
