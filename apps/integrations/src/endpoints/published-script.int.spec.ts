import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import { startEndpointRig, type EndpointRig, type Installed } from '../test/endpoint-rig.js';

/** What an author writes with the official runtime: a script with the id that a site is configured with. */
const source = `const { createIntegration } = runtime;
return createIntegration({
  fetch_published_script: async (event, { environment }) => {
    const { trackingId } = environment.siteInstallation?.configuration ?? {};
    if (trackingId === 'throws') throw new Error('broken');
    if (trackingId === 'leads') return Response.redirect('https://else.example', 302);
    const headers = { 'Content-Type': 'text/plain', 'Cache-Control': trackingId === 'fresh' ? 'no-store' : 'max-age=604800' };
    return new Response('track(' + JSON.stringify([trackingId, event.siteId]) + ', ' + Math.random() + ');', { headers });
  },
});`;
const site = { properties: { trackingId: { type: 'string' } }, required: ['trackingId'] };
const settings = {
  scopes: ['site:script:inject', 'site:script:cookies'],
  configurations: { site },
  target: 'site',
  contentSecurityPolicy: { 'connect-src': 'https://stats.example', 'script-src': 'https://cdn.example' },
};

interface Shown {
  script: string;
  contentSecurityPolicy?: string;
  cookies?: boolean;
}

let world: EndpointRig;
let space: string;
beforeAll(async () => {
  world = await startEndpointRig();
  space = await world.space('Shown');
}, 90_000);
afterAll(() => world.stop());

async function openSite(): Promise<string> {
  const { id } = await world.done('POST', `${world.org}/sites`, { title: 'Docs', spaces: [space] });
  await world.done('POST', `${world.org}/sites/${String(id)}/publish`);
  return String(id);
}

const scriptsOf = async (id: string): Promise<Shown[]> =>
  (await world.done('GET', `${world.org}/sites/${id}/published`))['scripts'] as Shown[];

/** A site with a script of an integration that is installed there and configured. */
async function shownOn(
  id: string,
  trackingId = 'id-1',
  more: object = {},
): Promise<Installed & { onSite: string; script: string }> {
  const installed = await world.begin(source, { ...settings, ...more });
  await world.done('POST', `${installed.path}/sites`, { siteId: id });
  const onSite = `${installed.path}/sites/${id}`;
  await world.done('PATCH', onSite, { configuration: { trackingId } });
  const find = async () => (await scriptsOf(id)).find(({ script }) => script.includes(installed.id))?.script;
  await eventually(async () => (await find()) !== undefined);
  return { ...installed, onSite, script: (await find()) ?? '' };
}

const isGone = (id: string, installed: Installed) =>
  eventually(async () => !(await scriptsOf(id)).some(({ script }) => script.includes(installed.id)));
const nothing = expect.objectContaining({ status: 200, body: '/* not available */\n' });

describe('scripts of integrations on sites', () => {
  it('are listed with their policy, and answered by the integration for everybody to keep', async () => {
    const id = await openSite();
    const { name, script } = await shownOn(id);
    expect(await scriptsOf(id)).toEqual([
      {
        script,
        contentSecurityPolicy: 'connect-src https://stats.example; script-src https://cdn.example',
        cookies: true,
      },
    ]);
    expect(script).toMatch(new RegExp(`/v1/integrations/${name}/script/\\w+/${id}/1-[\\w-]{12}\\.js$`));
    const answer = await world.ask(script);
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=604800',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      },
    });
    expect(answer.body).toContain(`track(["id-1","${id}"]`);
    // It is kept: the script, which says another number each time, was not called again.
    expect((await world.ask(script)).body).toBe(answer.body);
  });

  it('have another address once the site is configured otherwise, and the old one is not kept', async () => {
    const id = await openSite();
    const { onSite, script } = await shownOn(id);
    await world.done('PATCH', onSite, { configuration: { trackingId: 'id-2' } });
    const find = async () => (await scriptsOf(id))[0]?.script ?? script;
    await eventually(async () => (await find()) !== script);
    const next = await find();
    expect((await world.ask(next)).body).toContain('"id-2"');
    const old = await world.ask(script);
    expect([old.headers['cache-control'], old.body.includes('"id-2"')]).toEqual(['no-store', true]);
  });

  it('are nothing, and never an error, when an integration fails or ends', async () => {
    const id = await openSite();
    const broken = await shownOn(id, 'throws');
    expect(await world.ask(broken.script)).toEqual(nothing);
    const events = (await world.done('GET', `/integrations/${broken.name}/events?status=failed`))['items'];
    expect(events).toMatchObject([{ payload: { type: 'fetch_published_script', siteId: id } }]);
    expect((await world.ask(broken.script)).headers['cache-control']).toBe('no-store');
    const fresh = await shownOn(id, 'fresh');
    expect((await world.ask(fresh.script)).headers['cache-control']).toBe('no-store');
    const leading = await shownOn(id, 'leads');
    expect(await world.ask(leading.script)).toEqual(nothing);
    await world.done('DELETE', `/integrations/${leading.name}`);
    await isGone(id, leading);
    expect(await world.ask(leading.script)).toEqual(nothing);
    await world.done('DELETE', fresh.onSite);
    await isGone(id, fresh);
    expect(await world.ask(fresh.script)).toEqual(nothing);
    await world.done('DELETE', broken.path);
    await isGone(id, broken);
    expect(await world.ask(broken.script)).toEqual(nothing);
  });

  it('are not those of integrations without the scope, on other sites, or without what has to be configured', async () => {
    const [id, other] = [await openSite(), await openSite()];
    const allowed = await shownOn(id);
    const unconfigured = await world.begin(source, settings);
    await world.done('POST', `${unconfigured.path}/sites`, { siteId: id });
    const { name } = await world.begin(source, { ...settings, scopes: ['site:metadata:read'], configurations: {} });
    expect((await scriptsOf(id)).map(({ script }) => script)).toEqual([allowed.script]);
    expect(await scriptsOf(other)).toEqual([]);
    expect(await world.ask(allowed.script.replace(id, other))).toEqual(nothing);
    expect((await world.ask(allowed.script.replace(`/${allowed.name}/`, `/${name}/`))).status).toBe(421);
    expect((await world.ask(allowed.script.replace('.js', '.css'))).status).toBe(404);
    expect((await world.ask(allowed.script, { method: 'POST' })).status).toBe(405);
  });
});
