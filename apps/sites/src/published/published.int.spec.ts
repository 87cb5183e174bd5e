import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, type Person } from '../test/rig.js';
import { refusal, startSiteRig, type SiteRig } from '../test/site-rig.js';

/** What visitors are shown: share links, claims, looks and redirects, and the site put together. */
describe('a site as it is shown', () => {
  let world: SiteRig;
  const spaces: string[] = [];
  beforeAll(async () => {
    world = await startSiteRig();
    for (const title of ['First', 'Second', 'Third']) spaces.push(await world.space(title));
  }, 60_000);
  afterAll(() => world.rig.stop());

  const send = (method: string, path: string, body?: object, { token }: Person = world.rig.owner) =>
    world.rig.send(method, path, { token, ...(body === undefined ? {} : { body }) });
  const newSite = (more: object = {}) => world.site({ title: 'Docs', spaces, ...more });
  const siteSpace = async (site: string, index: number): Promise<string> =>
    `${site}/site-spaces/${String((await send('GET', `${site}/site-spaces`)).body.items[index]?.['id'])}`;

  it('has share links, which admins give out', async () => {
    const site = await newSite({ visibility: 'share-link' });
    const made = await send('POST', `${site}/share-links`, { name: 'For Ann' });
    expect([made.status, made.body['name'], made.body['active']]).toEqual([201, 'For Ann', true]);
    const location = get(made.body, 'urls.location');
    expect(location).toMatch(new RegExp(`/v1${site}/share-links/${String(made.body['id'])}$`));
    expect(made.headers.get('location')).toBe(location);
    const address = String(get(made.body, 'urls.published'));
    const key = /\/docs[-\d]*\/(\w{22})\/$/.exec(address)?.[1] ?? '';
    expect(key).toHaveLength(22);
    const other = await send('POST', `${site}/share-links`, { name: 'For Bob' });
    const listed = await send('GET', `${site}/share-links`);
    expect(listed.body.items).toEqual([other.body, made.body]);
    for (const person of [world.creator, world.reader])
      expect((await send('GET', `${site}/share-links`, undefined, person)).status).toBe(403);
    await send('POST', `${site}/publish`);
    const addresses = async (query: string) =>
      (await send('GET', `${site}/site-spaces${query}`)).body.items.map((one) => get(one, 'urls.published'));
    expect(await addresses('')).toEqual([undefined, undefined, undefined]);
    expect(await addresses(`?shareKey=${key}`)).toEqual([address, `${address}second/`, `${address}third/`]);
    expect(await addresses('?shareKey=wrong')).toEqual([undefined, undefined, undefined]);
    const link = `${site}/share-links/${String(made.body['id'])}`;
    const changed = await send('PATCH', link, { active: false, name: 'Off' });
    expect(changed.body).toEqual({ ...made.body, active: false, name: 'Off' });
    expect(await addresses(`?shareKey=${key}`)).toEqual([undefined, undefined, undefined]);
    expect((await send('PATCH', `${site}/share-links/none`, { active: true })).status).toBe(404);
    expect(refusal(await send('POST', `${site}/share-links`, { name: '' }))[2]).toBe('body.name');
    expect([(await send('DELETE', link)).status, (await send('DELETE', link)).status]).toEqual([205, 204]);
  });

  it('has a schema of the claims of its visitors, and conditions on these claims', async () => {
    const site = await newSite();
    const path = `${site}/adaptive-schema`;
    expect(refusal(await send('GET', path))).toEqual([404, 'adaptive_schema_missing', undefined]);
    expect((await send('GET', `${path}/template-conditions`)).body).toEqual({ items: [] });
    const schema = (properties: object) => ({
      jsonSchema: { type: 'object', properties, additionalProperties: false },
    });
    const beta = { beta: { type: 'boolean', description: 'In the beta' } };
    const replaced = await send('PUT', path, schema({ ...beta, name: { type: 'string' } }));
    expect(replaced.status).toBe(200);
    expect((await send('GET', path, undefined, world.reader)).body).toEqual(replaced.body);
    const templates = await send('GET', `${path}/template-conditions`, undefined, world.reader);
    expect(templates.body.items).toEqual([
      { description: 'In the beta', condition: 'visitor.claims.beta == true' },
      { description: 'Not: In the beta', condition: '!visitor.claims.beta' },
    ]);
    expect((await send('PUT', path, schema(beta), world.creator)).status).toBe(403);
    const wrong = await send('PUT', path, schema({ when: { type: 'date' } }));
    expect(refusal(wrong).slice(0, 2)).toEqual([400, 'adaptive_schema_invalid']);
    expect(String(refusal(wrong)[2])).toMatch(/^body\.jsonSchema\.properties\.when/);
    const second = await siteSpace(site, 1);
    const condition = (source: string) => send('PATCH', second, { condition: source });
    // While adaptive content is off, conditions are checked for their grammar alone.
    expect((await condition('visitor.claims.other')).status).toBe(200);
    await send('PATCH', site, { adaptiveContent: { enabled: true } });
    expect(refusal(await condition('visitor.claims.name == "x"'))[1]).toBe('condition_invalid');
    expect(refusal(await condition('visitor.claims.unknown'))[1]).toBe('condition_invalid');
    expect((await condition('visitor.claims.beta')).status).toBe(200);
    const emptied = await send('PUT', path, schema({}));
    expect(emptied.body['affectedConditions']).toMatchObject([
      { type: 'site-space', condition: 'visitor.claims.beta' },
    ]);
  });

  it('looks as admins choose', async () => {
    const site = await newSite();
    const path = `${site}/customization`;
    expect((await send('GET', path, undefined, world.reader)).body).toMatchObject({
      title: 'Docs',
      styling: { theme: 'clean', primaryColor: { light: '#346DDB', dark: '#346DDB' }, font: 'Inter' },
      pdf: { enabled: true },
      themes: { default: 'light', toggeable: true },
    });
    const links = [{ title: 'Home', to: { kind: 'url', url: 'https://example.com' } }];
    const icon = { light: 'https://example.com/l.png', dark: 'https://example.com/d.png' };
    const chosen = { styling: { theme: 'bold' }, header: { links }, favicon: { icon } };
    expect((await send('PUT', path, chosen)).body).toMatchObject({
      styling: { theme: 'bold', corners: 'rounded' },
      header: { links: [{ title: 'Home', style: 'link', links: [] }] },
    });
    expect(get((await send('GET', site)).body, 'icon')).toEqual({ icon });
    expect(get((await send('PUT', path, { title: 'Own' })).body, 'styling.theme')).toBe('clean');
    expect((await send('GET', site)).body).not.toHaveProperty('icon');
    const refused = async (body: object) => refusal(await send('PUT', path, body)).slice(1);
    expect(await refused({ styling: { corners: 'wavy' } })).toEqual(['invalid_request', 'body.styling.corners']);
    expect(await refused({ styling: { primaryColor: { light: 'red', dark: '#fff' } } })).toEqual([
      'invalid_request',
      'body.styling.primaryColor.light',
    ]);
    expect((await refused({ header: { links: [{ title: 'x', to: null }] } }))[0]).toBe('invalid_request');
    expect(await refused({ header: { links: [{ ...links[0], condition: '"x"' }] } })).toEqual([
      'condition_invalid',
      'body.header.links[0].condition',
    ]);
    expect((await send('PUT', path, {}, world.creator)).status).toBe(403);
  });

  it('has spaces that look as the site but for what they override', async () => {
    const site = await newSite();
    await send('PUT', `${site}/customization`, { styling: { theme: 'bold', corners: 'circular' } });
    const path = `${await siteSpace(site, 1)}/customization`;
    expect((await send('GET', path)).body).toMatchObject({ styling: { theme: 'bold' }, hasOverrides: false });
    const overridden = await send('PATCH', path, { styling: { theme: 'muted' }, pdf: { enabled: false } });
    expect(overridden.body).toMatchObject({
      styling: { theme: 'muted', corners: 'circular' },
      pdf: { enabled: false },
      hasOverrides: true,
    });
    const partly = await send('PATCH', path, { styling: { theme: null } });
    expect(partly.body).toMatchObject({ styling: { theme: 'bold' }, pdf: { enabled: false }, hasOverrides: true });
    expect((await send('PATCH', path, { pdf: null })).body['hasOverrides']).toBe(false);
    await send('PATCH', path, { title: 'Other' });
    expect([(await send('DELETE', path)).status, (await send('DELETE', path)).status]).toEqual([205, 204]);
    expect((await send('PATCH', path, {}, world.creator)).status).toBe(403);
    expect((await send('GET', `${site}/site-spaces/none/customization`)).status).toBe(404);
  });

  it('has redirects, one for each path', async () => {
    const site = await newSite();
    const path = `${site}/redirects`;
    const url = { kind: 'url', url: 'https://example.com/new' };
    const made = await send('POST', path, { source: '/old', destination: url });
    expect([made.status, made.body]).toEqual([
      201,
      { object: 'site-redirect', id: expect.any(String), source: '/old', destination: url },
    ]);
    const twice = await send('POST', path, { source: '/old', destination: url });
    expect(refusal(twice)).toEqual([409, 'already_exists', 'body.source']);
    const page = async (space: string, more: object) =>
      send('POST', path, { source: '/page', destination: { kind: 'site-page', space, page: 'none', ...more } });
    expect(refusal(await page(spaces[0] ?? '', {}))[2]).toBe('body.destination.page');
    expect(refusal(await page('none', {}))[2]).toBe('body.destination.space');
    await send('PATCH', `/spaces/${spaces[1] ?? ''}`, { editMode: 'live' });
    const insert = { operation: 'insert_page', title: 'Some', ref: 'some', document: { markdown: '' } };
    const { some } = (await send('POST', `/spaces/${spaces[1] ?? ''}/content`, { changes: [insert] })).body['refs'] as {
      some: string;
    };
    const destination = { kind: 'site-page', page: some };
    const other = await send('POST', path, { source: '/a', destination });
    expect(other.body['destination']).toEqual({ kind: 'page', page: some });
    expect((await send('GET', path)).body.items.map(({ source }) => source)).toEqual(['/a', '/old']);
    const one = `${path}/${String(made.body['id'])}`;
    expect((await send('PATCH', one, { source: '/older' })).body).toMatchObject({ source: '/older' });
    expect(refusal(await send('PATCH', one, { source: '/a' }))[1]).toBe('already_exists');
    expect((await send('GET', `${site}/redirect?source=/older`)).body['id']).toBe(made.body['id']);
    expect((await send('GET', `${site}/redirect?source=/old`)).status).toBe(404);
    expect((await send('PATCH', `${path}/none`, { source: '/x' })).status).toBe(404);
    expect((await send('GET', path, undefined, world.creator)).status).toBe(403);
    expect([(await send('DELETE', one)).status, (await send('DELETE', one)).status]).toEqual([205, 204]);
    expect(refusal(await send('POST', path, { source: 'no-slash', destination: url }))[2]).toBe('body.source');
  });

  it('is shown to callers who may view it, with structure and customizations', async () => {
    const site = await newSite();
    const hidden = await siteSpace(site, 0);
    await send('PATCH', hidden, { hidden: true });
    await send('PATCH', await siteSpace(site, 1), { condition: 'visitor.claims.beta' });
    await send('PATCH', `${await siteSpace(site, 1)}/customization`, { pdf: { enabled: false } });
    const { body } = await send('GET', `${site}/published`, undefined, world.reader);
    expect(body).toMatchObject({
      object: 'published-content-site',
      site: { object: 'site', published: false },
      structure: {
        type: 'siteSpaces',
        structure: [{ path: 'second', default: true, condition: 'visitor.claims.beta' }, { path: 'third' }],
      },
      customizations: { site: { title: 'Docs' } },
      scripts: [],
    });
    const [second] = get(body, 'structure.structure') as { id: string }[];
    expect(get(body, `customizations.siteSpaces.${second?.id ?? ''}.pdf.enabled`)).toBe(false);
    expect((await send('GET', `${site}/published`, undefined, world.guest)).status).toBe(404);
    await send('DELETE', `/spaces/${spaces[1] ?? ''}`);
    const shown = async () =>
      get((await send('GET', `${site}/published`)).body, 'structure.structure') as { path: string }[];
    expect((await shown()).map(({ path }) => path)).toEqual(['third']);
    await send('POST', `/spaces/${spaces[1] ?? ''}/restore`);
    expect((await shown()).map(({ path }) => path)).toEqual(['second', 'third']);
  });
});
