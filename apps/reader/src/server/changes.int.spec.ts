import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/event-sourcing/testing';
import { SignJWT } from 'jose';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const page = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: `${title}word.` },
  ...more,
});
/** What is known of an address at which there is no page ends after 2 s, and tokens end within 2 s. */
const soonMs = 8_000;

describe('what an address of a site leads to', () => {
  let world: ReaderRig;
  let guide: Awaited<ReturnType<ReaderRig['space']>>;
  beforeAll(async () => {
    world = await startReaderRig();
    guide = await world.space('Guide', [
      page('Home', { ref: 'home' }),
      page('Doomed', { ref: 'doomed' }),
      page('Paid', { condition: 'visitor.claims.plan == "paid"' }),
    ]);
  }, 90_000);
  afterAll(() => world.stop());

  const status = async (address: string, headers = {}) => (await world.open(address, headers)).status;
  const becomes = (expected: number, address: string, headers = {}) =>
    eventually(async () => (await status(address, headers)) === expected, soonMs);

  it('is seen soon by visitors who came before there was anything', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id] });
    for (const at of ['new', 'moved', 'moved.md']) expect(await status(`${address}${at}`)).toBe(404);
    const to = { kind: 'page', page: guide.refs['home'] };
    await world.make('POST', `${path}/redirects`, { source: '/new', destination: to });
    await becomes(308, `${address}new`);
    const insert = page('Moved', { ref: 'moved' });
    const made = await world.make('POST', `/spaces/${guide.id}/content`, { changes: [insert] });
    for (const at of ['moved', 'moved.md']) await becomes(200, `${address}${at}`);
    const moved = (made.body['refs'] as Record<string, string>)['moved'];
    const update = { operation: 'update_page', page: moved, slug: 'elsewhere' };
    await world.make('POST', `/spaces/${guide.id}/content`, { changes: [update] });
    for (const at of ['moved', 'moved.md']) await becomes(307, `${address}${at}`);
    await world.make('POST', `/spaces/${guide.id}/content`, { changes: [{ operation: 'delete_page', page: moved }] });
    for (const at of ['moved', 'moved.md']) await becomes(404, `${address}${at}`);
  });

  it('is the new address of a page as soon as it is renamed, for those who have just seen the old one', async () => {
    const { address } = await world.publish({ title: 'Docs', spaces: [guide.id] });
    const insert = page('Before', { ref: 'before' });
    const made = await world.make('POST', `/spaces/${guide.id}/content`, { changes: [insert] });
    const before = (made.body['refs'] as Record<string, string>)['before'];
    await becomes(200, `${address}before`);
    // Asked for by its whole address, so that what it leads to is kept, too.
    expect(await status(`${address}before?visitor.n=1`)).toBe(200);
    const rename = { operation: 'update_page', page: before, slug: 'after' };
    await world.make('POST', `/spaces/${guide.id}/content`, { changes: [rename] });
    for (const query of ['', '?visitor.n=1']) {
      const { status: told, headers } = await world.open(`${address}before${query}`);
      expect([told, headers.get('location')]).toEqual([307, `${new URL(address).pathname}after${query}`]);
    }
  });

  it('is shown soon to whom claims allow it, when a site begins to look at claims', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id] });
    const { privateKey } = (await world.make('GET', `${path}/publishing/auth`)).body as { privateKey?: string };
    const token = await new SignJWT({ plan: 'paid' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(privateKey));
    const cookie = `scriptorium-visitor-token=${token}`;
    expect(await status(`${address}paid`, { cookie })).toBe(404);
    const jsonSchema = { type: 'object', properties: { plan: { type: 'string', enum: ['free', 'paid'] } } };
    await world.make('PUT', `${path}/adaptive-schema`, { jsonSchema });
    await world.make('PATCH', path, { adaptiveContent: { enabled: true } });
    await becomes(200, `${address}paid`, { cookie });
    await world.make('PATCH', path, { adaptiveContent: { enabled: false } });
    await becomes(404, `${address}paid`, { cookie });
  });

  it('is seen no more soon after the page of a redirect, or the site, is deleted', async () => {
    const { address, path } = await world.publish({ title: 'Docs', spaces: [guide.id] });
    const to = { kind: 'page', page: guide.refs['doomed'] };
    await world.make('POST', `${path}/redirects`, { source: '/to-doomed', destination: to });
    await becomes(308, `${address}to-doomed`);
    const remove = { operation: 'delete_page', page: guide.refs['doomed'] };
    await world.make('POST', `/spaces/${guide.id}/content`, { changes: [remove] });
    await becomes(404, `${address}to-doomed`);
    const closed = await world.publish({ title: 'Closed', spaces: [guide.id], visibility: 'visitor-auth' });
    await world.make('PATCH', `${closed.path}/publishing/auth`, { fallbackURL: 'https://login.example/in' });
    for (const at of ['home', 'llms.txt']) expect(await status(`${closed.address}${at}`)).toBe(302);
    await world.make('DELETE', closed.path);
    for (const at of ['home', 'llms.txt']) await becomes(404, `${closed.address}${at}`);
  });
});
