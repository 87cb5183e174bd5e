import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIssuer, type TokenIssuer } from '@scriptorium/testing/token-issuer';
import { computedOf, shop, specFile } from '../../test/specifications.js';
import { changeContentOf, page } from '../../test/pages.js';
import { get, startRig, type Answer, type Rig } from '../../test/rig.js';

const condition = 'visitor.claims.plan == "paid"';
const target = { kind: 'url', url: 'https://example.org/plans' };

interface Shown {
  id: string;
  title: string;
  condition?: string;
  pages?: Shown[];
}

describe('a condition', () => {
  let rig: Rig;
  let issuer: TokenIssuer;
  let space: string;
  let refs: Record<string, string>;
  beforeAll(async () => {
    rig = await startRig();
    issuer = await startIssuer(rig);
    const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, {
      body: { title: 'Plans', editMode: 'live', empty: true },
    });
    space = String(made.body['id']);
    refs = await changeContentOf(rig, space, [
      page('Start'),
      { operation: 'insert_group', title: 'Group', condition, ref: 'group' },
      page('In the group', 'The groupword.', { into: 'group', ref: 'inner' }),
      { operation: 'insert_link', title: 'Link', target, condition, ref: 'link' },
      { operation: 'insert_files', files: [specFile(shop('List orders'), { ref: 'spec' })] },
      {
        operation: 'insert_computed',
        title: 'Computed',
        computed: computedOf('spec'),
        condition,
        noIndex: true,
        ref: 'computed',
      },
    ]);
  }, 60_000);
  afterAll(async () => {
    await issuer.close();
    await rig.stop();
  });

  const change = (...changes: object[]) => rig.send('POST', `/spaces/${space}/content`, { body: { changes } });
  const pagesAs = async (claims?: object): Promise<Shown[]> => {
    const token = claims === undefined ? rig.owner.token : await issuer.visit([space], claims);
    const { status, body } = await rig.send('GET', `/spaces/${space}/content/pages`, { token });
    expect(status).toBe(200);
    return get(body, 'pages') as Shown[];
  };
  const titles = async (claims?: object) => (await pagesAs(claims)).map(({ title }) => title);
  const refusal = ({ status, body: { error } }: Answer) => [status, error.reason, error.details?.[0]?.path];

  it('of a group, a link or what is computed hides it, with what is in it, from visitors for whom it does not hold', async () => {
    expect(await titles({ plan: 'paid' })).toEqual(['Start', 'Group', 'Link', 'Computed']);
    for (const claims of [{}, { plan: 'free' }]) {
      expect(await titles(claims)).toEqual(['Start']);
      const token = await issuer.visit([space], claims);
      for (const path of [
        `/content/page/${refs['inner']}`,
        '/content/path/group/in-the-group',
        '/content/path/computed',
      ])
        expect([path, (await rig.send('GET', `/spaces/${space}${path}`, { token })).status]).toEqual([path, 404]);
      expect((await rig.send('GET', `/spaces/${space}/search?query=groupword`, { token })).body['count']).toBe(0);
    }
  });

  it('is shown to members alone', async () => {
    expect((await pagesAs()).map((one) => [one.title, one.condition])).toEqual([
      ['Start', undefined],
      ['Group', condition],
      ['Link', condition],
      ['Computed', condition],
    ]);
    expect(JSON.stringify(await pagesAs({ plan: 'paid' }))).not.toContain('condition');
    const declared = await rig.send('GET', `/spaces/${space}/content/pages?computed=false`);
    expect(get(declared.body, 'pages')).toMatchObject([
      {},
      {},
      {},
      { type: 'computed', noIndex: true, noRobotsIndex: false },
    ]);
  });

  it('is refused if it cannot be read', async () => {
    for (const entry of [
      { operation: 'insert_group', title: 'A' },
      { operation: 'insert_link', title: 'A', target },
      { operation: 'update_group', page: refs['group'] },
      { operation: 'update_link', page: refs['link'] },
    ])
      for (const wrong of ['visitor.claims.plan ==', 'Math.random() > 1'])
        expect(refusal(await change({ ...entry, condition: wrong }))).toEqual([
          422,
          'content_change_invalid',
          'body.changes[0].condition',
        ]);
    expect(refusal(await change({ operation: 'insert_link', title: 'A', target, condition: 7 }))).toEqual([
      400,
      'invalid_request',
      'body.changes[0].condition',
    ]);
  });

  it('does not go with a group that has pages, and can be taken and given', async () => {
    const { group = '', link = '', inner = '' } = refs;
    const remove = { operation: 'delete_group', page: group };
    expect(refusal(await change(remove))).toEqual([422, 'content_change_invalid', 'body.changes[0].page']);
    await change(
      { operation: 'update_group', page: group, condition: null },
      { operation: 'update_link', page: link, condition: null },
    );
    expect(await titles({})).toEqual(['Start', 'Group', 'Link']);
    await change({ operation: 'update_link', page: link, condition });
    expect(await titles({})).toEqual(['Start', 'Group']);
    expect((await change(remove)).status).toBe(200);
    expect(await titles({})).toEqual(['Start', 'In the group']);
    await change({ operation: 'insert_group', title: 'Empty', condition, ref: 'empty' });
    const empty = (await pagesAs()).find(({ title }) => title === 'Empty');
    expect((await change({ operation: 'delete_group', page: empty?.id })).status).toBe(200);
    expect((await rig.send('GET', `/spaces/${space}/content/page/${inner}`)).status).toBe(200);
  });
});
