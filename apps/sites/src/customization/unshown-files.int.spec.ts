import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createGateway, createRecentWrites } from '@scriptorium/gateway';
import { create as createIdentity } from '@scriptorium/identity';
import { settings as identitySettings } from '@scriptorium/identity/settings';
import { createStore } from '@scriptorium/event-sourcing';
import { startOwnRig } from '@scriptorium/testing/own-rig';
import { create } from '../create.js';
import { settings } from '../settings.js';
import { eventually, get, startRig, type Rig } from '../test/own-rig.js';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('files that looks of a site', () => {
  let rig: Rig;
  let content: ReturnType<typeof createStore>;
  let site: string;
  let space: string;
  beforeAll(async () => {
    rig = await startRig();
    const { NAMESPACE: namespace, EVENTSTORE_URL: eventstoreUrl, MONGODB_URL: mongoUrl } = rig.config;
    content = createStore({ service: 'content', namespace, eventstoreUrl, mongoUrl });
    const org = `/orgs/${rig.organization}`;
    space = String((await send('POST', `${org}/spaces`, { title: 'Shown' }))['id']);
    site = `${org}/sites/${String((await send('POST', `${org}/sites`, { title: 'Docs', spaces: [space] }))['id'])}`;
  }, 60_000);
  afterAll(async () => {
    await content.stop();
    await rig.stop();
  });

  const send = async (method: string, path: string, body?: object) => {
    const answer = await rig.send(method, path, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  /** Uploads an image that has these words behind its end. */
  const upload = async (words: string, name: string): Promise<{ file: string }> => {
    const bytes = Buffer.concat([png, Buffer.from(words)]);
    const file = { name, type: 'image/png', size: bytes.length };
    const { key, url } = await send('POST', `/orgs/${rig.organization}/storage/upload`, {
      file,
      kind: 'organization_file',
    });
    await fetch(String(url), { method: 'PUT', body: new Uint8Array(bytes) });
    return { file: String(key) };
  };
  const logo = (light: unknown, dark = light) => ({ header: { logo: { light, dark } } });
  const look = (body: object) => send('PUT', `${site}/customization`, body);
  const statusOf = async (url: unknown) => (await fetch(String(url))).status;
  /** An hour passes in which no look keeps a file. */
  const anHour = async () => {
    await content.database.collection('op_look_files').updateMany({}, { $set: { keptAt: 0 } });
    await content.database.collection('op_files').updateMany({}, { $set: { at: 0 } });
  };
  const isDropped = (url: unknown) => eventually(async () => (await statusOf(url)) === 404, 20_000);

  it('no longer show are dropped, but for equal bytes that another name shows', async () => {
    const other = await upload('other bytes', 'other.png');
    const [one, two] = [await upload('equal bytes', 'one.png'), await upload('equal bytes', 'two.png')];
    const first = await look({ ...logo(one, two), socialPreview: { url: other } });
    const named = get(first, 'header.logo') as { light: string; dark: string };
    expect([named.light.split('/').pop(), named.dark.split('/').pop()]).toEqual(['one.png', 'two.png']);
    await anHour();
    await look(logo(named.dark));
    await isDropped(get(first, 'socialPreview.url'));
    expect(await statusOf(named.dark)).toBe(200);
    await anHour();
    await look({});
    await isDropped(named.dark);
  });

  it('no longer show are dropped when a look is cleared, and when a space is taken from the site', async () => {
    const own = async () => {
      const [first] = (await send('GET', `${site}/site-spaces`)).items;
      return `${site}/site-spaces/${String(first?.['id'])}`;
    };
    const body = await send('PATCH', `${await own()}/customization`, logo(await upload('of a space', 'own.png')));
    await anHour();
    await send('DELETE', `${await own()}/customization`);
    await isDropped(get(body, 'header.logo.light'));
    const more = await send('PATCH', `${await own()}/customization`, logo(await upload('of one taken', 'own.png')));
    const second = String((await send('POST', `/orgs/${rig.organization}/spaces`, { title: 'Second' }))['id']);
    await send('POST', `${site}/site-spaces`, { spaceId: second });
    await anHour();
    await send('DELETE', await own());
    await isDropped(get(more, 'header.logo.light'));
  });
});

describe('a change of a look', () => {
  it('does not wait for the service that keeps files', async () => {
    const rig = await startOwnRig({
      services: [
        { name: 'sites', create, settings },
        { name: 'identity', create: createIdentity, settings: identitySettings },
      ],
      startGateway: (defaults) => createGateway(defaults, { recentWrites: createRecentWrites() }),
    });
    try {
      const sites = `/orgs/${rig.organization}/sites`;
      const made = await rig.send('POST', sites, { body: { title: 'Docs' } });
      const path = `${sites}/${String(made.body['id'])}/customization`;
      const changed = await rig.send('PUT', path, { body: { title: 'Changed' } });
      expect([changed.status, changed.body['title']]).toEqual([200, 'Changed']);
    } finally {
      await rig.stop();
    }
  }, 60_000);
});
