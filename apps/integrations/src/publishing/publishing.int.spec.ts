import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get } from '../test/rig.js';
import {
  newName,
  publication,
  refusal,
  script,
  startIntegrationRig,
  type IntegrationRig,
} from '../test/integration-rig.js';

/** The first bytes of images are enough to tell what they are. */
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex').toString('base64');
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex').toString('base64');

describe('an integration', () => {
  let world: IntegrationRig;
  let organization: string;
  beforeAll(async () => {
    world = await startIntegrationRig();
    organization = world.rig.organization;
  }, 60_000);
  afterAll(() => world.rig.stop());

  const publish = (name: string, more: object = {}, person = world.rig.owner) =>
    world.send('POST', `/integrations/${name}`, publication(organization, more), person);

  it('is published with everything that the command of existing clients sends', async () => {
    const name = newName();
    const answer = await publish(name, {
      runtime: 'v2',
      // Icons are often called PNG and are something else.
      icon: jpeg,
      summary: '# Example\n\nIt does *much*.',
      previewImages: [png],
      categories: ['analytics'],
      scopes: ['space:content:read', 'space:git:sync'],
      visibility: 'public',
      target: 'site',
      blocks: [{ id: 'block', title: 'A block', urlUnfurl: ['https://*.example.com/**'] }],
      contentSources: [{ id: 'source', title: 'A source', configuration: { componentId: 'c' } }],
      configurations: {
        account: { properties: { key: { type: 'string', title: 'Key' } }, required: ['key'] },
        site: { componentId: 'config' },
      },
      secrets: { TOKEN: 'quillfeather' },
      externalLinks: [{ url: 'https://example.com/docs', label: 'Docs' }],
      contentSecurityPolicy: { 'script-src': "'self' https://example.com" },
    });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        object: 'integration',
        name,
        version: 1,
        title: 'Example',
        verified: false,
        visibility: 'public',
        target: 'site',
        unavailableScopes: ['space:git:sync'],
        owner: { object: 'organization', id: organization, title: expect.any(String) },
        permissions: { admin: true },
        contentSecurityPolicy: { 'script-src': "'self' https://example.com" },
      },
    ]);
    expect(get(answer.body, 'urls.app')).toContain(`/integrations/${name}`);
    expect(get(answer.body, 'urls.icon')).toMatch(/\/image\.jpg$/);
    expect(get(answer.body, 'previewImages.0')).toMatch(/\/image\.png$/);
    expect(JSON.stringify(answer.body)).not.toContain('quillfeather');
    expect((await world.send('GET', `/integrations/${name}`)).body).toEqual(answer.body);
  });

  it('shows its images to anybody, and its script to nobody', async () => {
    const { body } = await publish(newName(), { icon: png, previewImages: [jpeg] });
    const show = async (url: string) => {
      const answer = await fetch(url);
      return [answer.status, answer.headers.get('content-type'), await answer.arrayBuffer()] as const;
    };
    const [icon, preview] = [String(get(body, 'urls.icon')), String(get(body, 'previewImages.0'))];
    const [status, type, bytes] = await show(icon);
    expect([status, type, Buffer.from(bytes).toString('base64')]).toEqual([200, 'image/png', png]);
    expect((await show(preview)).slice(0, 2)).toEqual([200, 'image/jpeg']);
    const hash = createHash('sha256').update(script).digest('hex');
    expect((await show(`${String(get(body, 'urls.assets'))}${hash}/script.js`))[0]).toBe(404);
    await world.done('DELETE', `/integrations/${String(body['name'])}`);
    expect((await show(icon))[0]).toBe(404);
  });

  it('is no new version when it is published as it is', async () => {
    const name = newName();
    const version = async (more: object) => (await publish(name, more)).body['version'];
    const secrets = { A: '1', B: '2' };
    expect(await version({ secrets })).toBe(1);
    expect(await version({ secrets: { B: '2', A: '1' } })).toBe(1);
    // Without secrets it keeps those that it has.
    expect(await version({})).toBe(1);
    expect(await version({ secrets: { A: '1' } })).toBe(2);
    expect(await version({ script: `${script} ` })).toBe(3);
    expect(await version({ title: 'Other' })).toBe(4);
    expect(await version({ title: 'Other', secrets: {} })).toBe(5);
    expect(await version({ title: 'Other', secrets: {} })).toBe(5);
  });

  it('has a name of its own, whatever its case', async () => {
    const name = newName();
    await publish(name);
    expect(refusal(await publish(name.toUpperCase()))).toEqual([409, 'name_taken', 'params.integrationName']);
    expect((await world.send('GET', `/integrations/${name.toUpperCase()}`)).status).toBe(404);
    const other = String((await world.done('POST', '/orgs', { title: 'Other' }))['id']);
    expect(refusal(await publish(name, { organization: other }))[1]).toBe('name_taken');
    const racing = newName();
    const sent = await Promise.all(
      [racing, racing.toUpperCase()].map((one) =>
        world.send('POST', `/integrations/${one}`, publication(one === racing ? organization : other)),
      ),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await world.send('DELETE', `/integrations/${name}`)).status).toBe(205);
    expect((await publish(name.toUpperCase(), { organization: other })).status).toBe(200);
  });

  it('is published by admins of an organization that they name by its id or its hostname', async () => {
    const hostname = String((await world.done('GET', world.org))['hostname']);
    expect((await publish(newName(), { organization: hostname })).status).toBe(200);
    const unknown = [404, 'organization_not_found', 'body.organization'];
    expect(refusal(await publish(newName(), { organization: 'nowhere' }))).toEqual(unknown);
    expect(refusal(await publish(newName(), {}, world.stranger))).toEqual(unknown);
    expect(refusal(await publish(newName(), {}, world.creator))).toEqual([403, 'forbidden', 'body.organization']);
  });

  it.each([
    ['a script that is none', { script: 'export default {' }, 'body.script'],
    ['a script without a default export', { script: 'export const a = 1;' }, 'body.script'],
    ['no script', { script: '' }, 'body.script'],
    ['a title that is too short', { title: 'x' }, 'body.title'],
    ['an unknown scope', { scopes: ['everything'] }, 'body.scopes[0]'],
    ['an icon that is no image', { icon: Buffer.from('<svg></svg>').toString('base64') }, 'body.icon'],
    ['an icon that is no base64', { icon: '***' }, 'body.icon'],
    ['too many previews', { previewImages: [png, png, png, png] }, 'body.previewImages'],
    ['a preview that is no image', { previewImages: [png, 'aGVsbG8='] }, 'body.previewImages[1]'],
    ['a directive that is none', { contentSecurityPolicy: { 'x-src': '*' } }, 'body.contentSecurityPolicy'],
    ['a policy of two lines', { contentSecurityPolicy: 'a\nb' }, 'body.contentSecurityPolicy'],
    [
      'a required property that is not declared',
      { configurations: { space: { properties: {}, required: ['a'] } } },
      'body.configurations.space.required',
    ],
  ])('is refused with %s', async (_what, more, field) => {
    const [status, reason, path] = refusal(await publish(newName(), more));
    expect([status, reason]).toEqual([400, 'invalid_request']);
    expect(String(path)).toContain(field);
  });

  it('is refused with a name that is a part of paths, and with too many bytes', async () => {
    expect(refusal(await publish('a%20b'))).toEqual([400, 'invalid_request', 'params.integrationName']);
    const large = `/*${' '.repeat(4 * 1024 * 1024)}*/${script}`;
    expect(refusal(await publish(newName(), { script: large }))).toEqual([413, 'too_large', 'body.script']);
    const secrets = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`S${i}`, 'x']));
    expect(refusal(await publish(newName(), { secrets }))).toEqual([400, 'invalid_request', 'body.secrets']);
    expect((await publish('__proto__')).status).toBe(200);
    expect((await world.send('DELETE', '/integrations/__proto__')).status).toBe(205);
  });

  it('is not published by a dry run', async () => {
    const name = newName();
    const tried = await world.send('POST', `/integrations/${name}?dryRun=true`, publication(organization));
    expect(tried.status).toBe(200);
    expect((await world.send('GET', `/integrations/${name}`)).status).toBe(404);
  });

  it('is seen by whom its visibility lets see it', async () => {
    const [hidden, unlisted] = [await world.publish(), await world.publish({ visibility: 'unlisted' })];
    const open = await world.publish({ visibility: 'public', title: 'Zebra' });
    const statuses = (name: string) =>
      Promise.all(
        [world.guest, world.stranger].map(
          async (person) => (await world.send('GET', `/integrations/${name}`, undefined, person)).status,
        ),
      );
    expect(await statuses(hidden)).toEqual([200, 404]);
    expect(await statuses(unlisted)).toEqual([200, 200]);
    const names = async (query: string, person = world.stranger) => {
      const { items } = await world.done('GET', `/integrations?limit=1000&${query}`, undefined, person);
      return items.map(({ name }) => String(name)).filter((name) => [hidden, unlisted, open].includes(name));
    };
    expect(await names('')).toEqual([open]);
    expect(await names(`owner=${organization}`)).toEqual([open]);
    expect((await names(`owner=${organization}`, world.guest)).sort()).toEqual([hidden, unlisted, open].sort());
  });

  it('is found by what it is', async () => {
    const word = newName();
    const name = await world.publish({
      visibility: 'public',
      title: word.slice(0, 30),
      categories: ['marketing'],
      scopes: ['site:script:inject'],
      target: 'site',
      blocks: [{ id: 'a', title: 'Block', urlUnfurl: [`https://${word}.example.com/x`] }],
    });
    const finds = async (query: string) => {
      const { items } = await world.done('GET', `/integrations?limit=1000&${query}`, undefined, world.stranger);
      return items.some((one) => one['name'] === name);
    };
    for (const query of [
      `search=${word.slice(3, 14).toUpperCase()}`,
      'category=marketing',
      `blockDomain=${word}.example.com`,
      'blocks=true',
      'contentSources=false',
      'scope=site:script:inject',
      'target=site',
    ])
      expect([query, await finds(query)]).toEqual([query, true]);
    for (const query of ['search=nothing', 'category=content', 'blockDomain=x', 'blocks=false', 'contentSources=true'])
      expect([query, await finds(query)]).toEqual([query, false]);
    expect(refusal(await world.send('GET', '/integrations?category=none'))[2]).toBe('query.category');
  });

  it('is listed by title, page by page', async () => {
    const owner = String((await world.done('POST', '/orgs', { title: 'Lister' }))['id']);
    for (const title of ['Bee', 'ant', 'Cat'])
      await world.done('POST', `/integrations/${newName()}`, publication(owner, { title }));
    const titles: string[] = [];
    let page = '';
    do {
      const { items, next } = await world.done('GET', `/integrations?owner=${owner}&limit=1${page}`);
      titles.push(...items.map(({ title }) => String(title)));
      page = next === undefined ? '' : `&page=${(next as { page: string }).page}`;
    } while (page !== '');
    expect(titles).toEqual(['ant', 'Bee', 'Cat']);
  });

  it('is unpublished by admins of its owner alone', async () => {
    const name = await world.publish({ visibility: 'public' });
    const path = `/integrations/${name}`;
    expect((await world.send('DELETE', path, undefined, world.stranger)).status).toBe(403);
    expect((await world.send('DELETE', path, undefined, world.creator)).status).toBe(403);
    const hidden = await world.publish();
    expect((await world.send('DELETE', `/integrations/${hidden}`, undefined, world.stranger)).status).toBe(204);
    expect((await world.send('DELETE', path)).status).toBe(205);
    expect((await world.send('DELETE', path)).status).toBe(204);
    expect((await world.send('GET', path)).status).toBe(404);
  });
});
