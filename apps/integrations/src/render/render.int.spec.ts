import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compressLz, get } from '@scriptorium/testing';
import { computedPagesOf } from '../test/computed-pages.js';
import { comesTrue, startDispatchRig, type DispatchRig } from '../test/dispatch-rig.js';
import { integrationToken, refusal } from '../test/integration-rig.js';
import { officialScript } from '../test/official-script.js';
import type { Answer } from '../test/rig.js';

const script = `
const text = (...children) => ({ type: 'text', children });
const card = runtime.createComponent({
  componentId: 'card',
  initialState: { count: 0 },
  action: async ({ state }, action) => {
    if (action.action === 'add') return { state: { count: state.count + 1 } };
    if (action.action === '@link.unfurl') return { props: { url: action.url } };
    if (action.action === 'done') return { type: 'complete', returnValue: { left: 1 } };
  },
  render: async (element) => {
    const { age, fail, bad, url } = element.props;
    if (age) element.setCache({ maxAge: age });
    if (fail) throw new Error('Quillfeather');
    const child = bad ? { type: 'button' } : text(String(element.state.count), String(Math.random()));
    return { type: 'block', children: [child, { type: 'iframe' }, text(url || 'none')] };
  },
});
const settings = runtime.createComponent({
  componentId: 'settings',
  render: async ({ props }, { environment }) => ({
    type: 'configuration',
    children: [text(props.installation.configuration.token, environment.installation.configuration.token)],
  }),
});
const large = runtime.createComponent({
  componentId: 'large',
  render: async () => ({ type: 'block', children: [text('x'.repeat(300000))] }),
});
const fetched = async (request) => {
  const url = new URL(request.url);
  const known = [{ id: 'a', label: 'Alpha' }, { value: 'b', label: 'Beta' }, 'gamma', { nothing: 1 }];
  if (!url.pathname.endsWith('/channels')) return new Response('[1', { status: 200 });
  return Response.json(known.concat(url.searchParams.get('search') || []));
};
return runtime.createIntegration({ fetch: fetched, components: [card, settings, large] });`;

const configurations = {
  account: {
    properties: {
      channel: { type: 'string', completion_url: '/channels' },
      broken: { type: 'string', completion_url: 'broken' },
      outside: { type: 'string', completion_url: '../../../elsewhere' },
      plain: { type: 'string' },
    },
  },
};

let world: DispatchRig;
beforeAll(async () => {
  world = await startDispatchRig();
}, 120_000);
afterAll(() => world.stop());

describe('computed pages of an integration', () => computedPagesOf(() => world));

/** What integrations show, and what they propose. */
describe('a component of an integration', () => {
  let name: string;
  let path: string;
  let space: string;
  beforeAll(async () => {
    const blocks = [{ id: 'card', title: 'Card' }];
    const published = { script: officialScript(script), configurations, blocks, visibility: 'public' };
    ({ name, path } = await world.begin(published));
    space = await world.space('Rendered');
    await world.done('POST', `${path}/spaces`, { space });
  }, 60_000);

  const documentContext = (spaceId = space) => ({ type: 'document', theme: 'light', spaceId, editable: false });
  const account = () => ({ type: 'configuration_account', theme: 'dark', organizationId: world.rig.organization });
  const wanted = (more: object = {}) => ({ componentId: 'card', props: {}, context: documentContext(), ...more });
  const render = (more: object = {}, person = world.rig.owner): Promise<Answer> =>
    world.send('POST', `/integrations/${name}/render`, wanted(more), person);
  const textOf = ({ body }: Answer, at = 0): unknown => get(body, `element.children.${at}.children`);
  const countOf = (answer: Answer): unknown => (textOf(answer) as string[] | undefined)?.[0];

  it('is rendered with its state, and acts', async () => {
    const first = await render();
    expect([first.status, first.body['type'], countOf(first), first.body['state']]).toEqual([
      200,
      'element',
      '0',
      { count: 0 },
    ]);
    // Elements that nobody knows are left out.
    expect(get(first.body, 'element.children')).toHaveLength(2);
    const added = await render({ state: { count: 4 }, action: { action: 'add' } });
    expect([countOf(added), added.body['state']]).toEqual(['5', { count: 5 }]);
    const unfurled = await render({ action: { action: '@link.unfurl', url: 'https://a.example' } });
    expect([unfurled.body['props'], textOf(unfurled, 1)]).toEqual([
      { url: 'https://a.example' },
      ['https://a.example'],
    ]);
    expect((await render({ action: { action: 'done' } })).body).toEqual({ type: 'complete', returnValue: { left: 1 } });
  });

  it('is rendered by a request in the address, too', async () => {
    const get_ = (request: string) =>
      world.send('GET', `/integrations/${name}/render?request=${encodeURIComponent(request)}`);
    expect(countOf(await get_(compressLz(JSON.stringify(wanted({ state: { count: 7 } })))))).toBe('7');
    for (const bad of ['!', compressLz('no JSON'), compressLz('{"componentId":""}')])
      expect(refusal(await get_(bad))).toEqual([400, 'invalid_request', 'query.request']);
    const foreign = wanted({ context: documentContext('none') });
    expect(refusal(await get_(compressLz(JSON.stringify(foreign))))).toEqual([404, 'not_found', 'query.request']);
    expect((await get_('x'.repeat(8_193))).status).toBe(400);
  });

  it('is shown again for as long as it allows, and not when anything differs', async () => {
    const shown = async (more: object) => (textOf(await render(more)) as string[])[1];
    const once = { props: { age: 60 } };
    const first = await shown(once);
    expect(await shown(once)).toBe(first);
    expect(await shown({ ...once, state: { count: 1 } })).not.toBe(first);
    expect(await shown({ ...once, action: { action: 'other' } })).not.toBe(first);
    await world.done('PATCH', path, { configuration: { plain: 'changed' } });
    expect(await shown(once)).not.toBe(first);
    expect(await shown({})).not.toBe(await shown({}));
  });

  it('is rendered for whoever reads the space, where the integration is active', async () => {
    expect((await render({}, world.reader)).status).toBe(200);
    const notFound = [404, 'not_found', 'body.context.spaceId'];
    expect(refusal(await render({}, world.guest))).toEqual(notFound);
    expect(refusal(await render({}, world.stranger))).toEqual(notFound);
    const outside = await world.space('Outside');
    expect(refusal(await render({ context: documentContext(outside) }))).toEqual(notFound);
    expect((await world.rig.send('POST', `/integrations/${name}/render`, { token: null, body: wanted() })).status).toBe(
      401,
    );
    const bad = { type: 'document', theme: 'light', spaceId: space };
    expect(refusal(await render({ context: bad }))).toEqual([400, 'invalid_request', 'body.context.editable']);
    expect(refusal(await render({ props: undefined }))).toEqual([400, 'invalid_request', 'body.props']);
  });

  it('is rendered for a visitor of a published site, in the spaces of the site alone', async () => {
    const visitor = { ...world.rig.owner, token: await visitorTokenOf(space) };
    expect((await render({}, visitor)).status).toBe(200);
    const outside = await world.space('Unpublished');
    expect((await render({ context: documentContext(outside) }, visitor)).status).toBe(404);
    expect((await render({ context: account() }, visitor)).status).toBe(404);
    const unfurl = { action: '@link.unfurl', url: 'https://a.example' };
    expect(textOf(await render({ action: unfurl }, visitor), 1)).toEqual(['https://a.example']);
    expect(refusal(await render({ action: { action: 'add' } }, visitor))).toEqual([403, 'forbidden', 'body.action']);
    expect(refusal(await render({ state: { count: 4 } }, visitor))).toEqual([403, 'forbidden', 'body.state']);
    expect(refusal(await render({ componentId: 'large' }, visitor))).toEqual([404, 'not_found', 'body.componentId']);
  });

  it('is shown and rendered on a page of a published site, also of a private integration, until it is uninstalled', async () => {
    const own = await world.begin({
      script: officialScript(script),
      visibility: 'private',
      title: 'Card maker',
      blocks: [{ id: 'card', title: 'Card', description: 'Shows a card' }],
      contentSecurityPolicy: { 'frame-src': 'https://frames.example' },
    });
    const live = { title: 'With blocks', empty: true, editMode: 'live' };
    const at = String((await world.done('POST', `${world.org}/spaces`, live))['id']);
    await world.done('POST', `${own.path}/spaces`, { space: at });
    const markdown = `{% @${own.name}/card age="60" %}\n\n{% @${own.name}/other %}\n\n{% @nobody/x %}`;
    const changes = [{ operation: 'insert_page', title: 'Page', document: { markdown } }];
    await world.done('POST', `/spaces/${at}/content`, { changes });
    const token = await visitorTokenOf(at);
    const ofOtherSpace = { token: await visitorTokenOf(space), body: wanted() };
    const hidden = await world.rig.send('POST', `/integrations/${own.name}/render`, ofOtherSpace);
    const unknown = await world.rig.send('POST', `/integrations/none/render`, ofOtherSpace);
    expect(refusal(hidden)).toEqual(refusal(unknown));
    const asVisitor = (method: string, of: string, body?: object) =>
      world.rig.send(method, of, { token, ...(body === undefined ? {} : { body }) });
    const resolvedIn = async (): Promise<unknown[]> => {
      const query = 'format=document&dereferenced=true';
      const { body } = await asVisitor('GET', `/spaces/${at}/content/path/page?${query}`);
      return (get(body, 'document.nodes') as object[]).map((one) => get(one, 'data.resolved'));
    };
    const integration = { name: own.name, title: 'Card maker', version: 1 };
    const [card, other, nobody] = await resolvedIn();
    expect(card).toEqual({
      title: 'Card',
      description: 'Shows a card',
      integration,
      component: 'card',
      frames: ['https://frames.example'],
    });
    expect([other, nobody]).toEqual([{ title: 'Card maker', description: 'An example', integration }, null]);
    const told = await asVisitor('GET', `/spaces/${at}/content/path/page?format=markdown&dereferenced=true`);
    expect(told.body['markdown']).toContain('**Card**: Shows a card');
    const renders = () =>
      asVisitor('POST', `/integrations/${own.name}/render`, wanted({ context: documentContext(at) }));
    expect((await renders()).status).toBe(200);
    const foreign = { ...wanted({ context: documentContext(space) }) };
    expect((await asVisitor('POST', `/integrations/${own.name}/render`, foreign)).status).toBe(404);
    expect((await asVisitor('GET', `/integrations/${own.name}`)).status).toBe(403);
    await world.done('DELETE', own.path);
    await comesTrue(async () => expect(await resolvedIn()).toEqual([null, null, null]));
    expect((await renders()).status).toBe(404);
  });

  it('configures an installation: the script gets all values, and the client those that it sees', async () => {
    const own = await world.begin({
      script: officialScript(script),
      configurations: { account: { componentId: 'settings' } },
    });
    const at = { type: 'configuration_account', theme: 'dark', organizationId: world.rig.organization };
    const send = (props: object, person = world.creator) =>
      world.send('POST', `/integrations/${own.name}/render`, { componentId: 'settings', props, context: at }, person);
    await configureAsScript(own.name, own.path, { token: 'Secrettoken' });
    const answer = await send({ installation: { configuration: { token: 'forged' } }, more: 1 });
    expect(textOf(answer)).toEqual(['Secrettoken', 'Secrettoken']);
    expect(answer.body['props']).toMatchObject({ more: 1, installation: { configuration: {} } });
    expect(JSON.stringify(answer.body['props'])).not.toContain('Secrettoken');
    expect(refusal(await send({}, world.reader))).toEqual([403, 'forbidden', 'body.context.organizationId']);
    expect(refusal(await send({}, world.stranger)).slice(0, 2)).toEqual([404, 'not_found']);
  });

  it('that fails, or answers what is no element, is a failure of the integration, which its owner finds', async () => {
    const failed = await render({ props: { fail: true } });
    expect([failed.status, failed.body.error.reason]).toEqual([502, 'integration_failed']);
    expect(JSON.stringify(failed.body)).not.toContain('Quillfeather');
    await comesTrue(async () => {
      const [event] = await world.eventsOf(name, '&status=failed');
      expect(event).toMatchObject({ payload: { type: 'ui_render', spaceId: space }, reason: 'status_500' });
    });
    const malformed = await render({ props: { bad: true } });
    expect([malformed.status, malformed.body.error.message]).toEqual([
      502,
      expect.stringContaining('element.children.0.onPress'),
    ]);
    await comesTrue(async () => {
      const [event] = await world.eventsOf(name, '&status=failed');
      expect(event).toMatchObject({ payload: { type: 'ui_render' }, reason: 'malformed' });
    });
    expect((await render({ componentId: 'large' })).status).toBe(502);
    expect(refusal(await render({ componentId: 'none' })).slice(0, 2)).toEqual([404, 'not_found']);
    await world.stopRuntime();
    const away = await render();
    expect([away.status, away.body.error.reason, away.headers.get('retry-after') !== null]).toEqual([
      503,
      'runtime_unavailable',
      true,
    ]);
    await world.startRuntime();
    expect((await render()).status).toBe(200);
  }, 60_000);

  it('leaves nothing of a person for whom it has failed when that person is erased', async () => {
    const person = await world.rig.member('Era Sed', 'read');
    expect((await render({ props: { fail: true } }, person)).status).toBe(502);
    const traces = (user: string) => world.rig.store.database.collection('op_traces').countDocuments({ user });
    await comesTrue(async () => expect(await traces(person.id)).toBe(1));
    const others = await traces(world.rig.owner.id);
    expect(others).toBeGreaterThan(0);
    const erased = await world.send('DELETE', `/users/${person.id}`);
    expect(erased.status).toBeLessThan(300);
    await comesTrue(async () => expect(await traces(person.id)).toBe(0));
    expect(await traces(world.rig.owner.id)).toBe(others);
  }, 60_000);

  it('has proposals for a property, from the address that the property declares', async () => {
    const ask = (query: string, person = world.creator) =>
      world.send('GET', `${path}/completions?${query}`, undefined, person);
    expect((await ask('property=channel&search=delta')).body.items).toEqual([
      { id: 'a', label: 'Alpha' },
      { id: 'b', label: 'Beta' },
      { id: 'gamma', label: 'gamma' },
      { id: 'delta', label: 'delta' },
    ]);
    for (const property of ['plain', 'none', 'outside', '__proto__'])
      expect(refusal(await ask(`property=${property}`))[2]).toBe('query.property');
    expect(refusal(await ask('property=channel&space=none'))).toEqual([404, 'not_found', 'query.space']);
    expect(refusal(await ask(`property=channel&space=${space}&site=x`))[2]).toBe('query.site');
    expect((await ask('property=broken')).status).toBe(502);
    expect((await ask('property=channel', world.reader)).status).toBe(403);
    expect((await ask('property=channel', world.stranger)).status).toBe(404);
  });

  /** The token with which visitors read a site that shows a space. */
  async function visitorTokenOf(spaceId: string): Promise<string> {
    const site = await world.site('Published');
    await world.done('POST', `${world.org}/sites/${site}/site-spaces`, { spaceId });
    await world.done('POST', `${world.org}/sites/${site}/publish`);
    const url = String(get(await world.done('GET', `${world.org}/sites/${site}`), 'urls.published'));
    const led = await world.rig.send('POST', '/urls/published', { token: null, body: { url } });
    return String(led.body['apiToken']);
  }

  async function configureAsScript(integration: string, at: string, configuration: object): Promise<void> {
    const token = await integrationToken(world.rig, integration);
    const { status } = await world.rig.send('PATCH', at, { token, body: { configuration } });
    expect(status).toBe(200);
  }
});
