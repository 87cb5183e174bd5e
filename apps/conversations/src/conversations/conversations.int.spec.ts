import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import { openStore } from '@scriptorium/testing/store';
import { analysed } from '../test/analysed.js';
import { install, refusal, said, startConversationRig, type ConversationRig } from '../test/conversation-rig.js';
import { get } from '../test/rig.js';

let world: ConversationRig;
let path: string;
beforeAll(async () => {
  world = await startConversationRig();
  path = `${world.org}/conversations`;
}, 60_000);
afterAll(() => world.rig.stop());

const day = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('a conversation', () => {
  it('is ingested, listed and read', async () => {
    const createdAt = ago(3 * day);
    const url = 'https://support.example/c/1';
    const given = said('c-1', 'Where is my card?', {
      subject: 'Card',
      metadata: { url, attributes: { plan: 'gold' }, createdAt },
    });
    expect(await world.ingest(given)).toBe(204);
    const id = await world.idOf('c-1');
    const { body } = await world.send('GET', `${path}/${id}`, undefined, world.reader.token);
    expect(body).toEqual({
      conversation: {
        object: 'conversation',
        id,
        externalId: 'c-1',
        subject: 'Card',
        createdAt,
        ingestedAt: expect.any(String),
        source: 'api',
        urls: { location: expect.stringContaining(`${path}/${id}`), source: url },
      },
      parts: given['parts'],
      metadata: { url, attributes: { plan: 'gold' }, createdAt },
    });
    const listed = await world.done('GET', path, undefined, world.reader.token);
    expect(listed.items.map(({ id: one }) => one)).toContain(id);
    expect(JSON.stringify(listed)).not.toContain('gold');
  });

  it('that is sent again is replaced, and the same one is not', async () => {
    await world.ingest(said('c-2', 'First'));
    const id = await world.idOf('c-2');
    const before = (await world.done('GET', `${path}/${id}`)) as object;
    expect(await world.ingest([said('c-2', 'First')])).toBe(204);
    expect(await world.done('GET', `${path}/${id}`)).toEqual(before);
    expect(await world.ingest(said('c-2', ['First', 'Second']))).toBe(204);
    const after = await world.done('GET', `${path}/${id}`);
    expect(get(after, 'parts.1.body')).toBe('Second');
    expect((await world.done('GET', `${path}?externalId=c-2`))['count']).toBe(1);
  });

  it('with HTML is answered as markdown: nothing of it runs', async () => {
    await world.ingest(said('c-3', '<p>Hello <b>you</b><script>alert(1)</script><img src=x onerror=alert(2)></p>'));
    const { body } = await world.send('GET', `${path}/${await world.idOf('c-3')}`);
    expect(JSON.stringify(body)).not.toMatch(/<script|<img|onerror/);
    expect(JSON.stringify(body)).toContain('Hello **you**');
    await world.ingest(said('c-4', '<'.repeat(65_536)));
    expect((await world.send('GET', `${path}/${await world.idOf('c-4')}`)).status).toBe(200);
  });

  it('that is older than conversations are kept is accepted, and not kept', async () => {
    expect(await world.ingest(said('old', 'Long ago', { metadata: { createdAt: ago(400 * day) } }))).toBe(204);
    expect((await world.done('GET', `${path}?externalId=old`))['count']).toBe(0);
  });

  it('that turns out to be older than conversations are kept is deleted with its texts', async () => {
    await world.ingest(said('c-6', 'It was long ago'));
    const id = await world.idOf('c-6');
    const older = said('c-6', 'It was long ago', { metadata: { createdAt: ago(400 * day) } });
    expect(await world.ingest([older, said('c-7', 'It is today')])).toBe(204);
    expect((await world.send('GET', `${path}/${id}`)).status).toBe(404);
    expect((await world.done('GET', `${path}?externalId=c-6`))['count']).toBe(0);
    expect((await world.done('GET', `${path}?externalId=c-7`))['count']).toBe(1);
    await analysed(world);
    expect(await countTexts(id)).toBe(0);
  });

  it('is deleted with its texts, and can come again', async () => {
    await world.ingest(said('c-5', 'Forget'));
    const id = await world.idOf('c-5');
    expect((await world.send('DELETE', `${path}/${id}`)).status).toBe(205);
    expect((await world.send('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await world.send('GET', `${path}/${id}`)).status).toBe(404);
    expect(await countTexts(id)).toBe(0);
    await world.ingest(said('c-5', 'Forget'));
    expect((await world.send('GET', `${path}/${id}`)).status).toBe(200);
    await analysed(world);
    expect(await countTexts(id)).toBe(2);
  });

  it('of a dry run is neither stored nor listed', async () => {
    const answer = await world.send('POST', `${path}?dryRun=true`, said('dry', 'Nothing'));
    expect(answer.status).toBe(204);
    expect((await world.done('GET', `${path}?externalId=dry`))['count']).toBe(0);
  });

  async function countTexts(id: string): Promise<number> {
    const store = openStore(world.rig.config, 'conversations');
    try {
      const prefix = `${world.rig.organization}/${id}/`;
      const texts = store.database.collection<{ _id: string }>('op_conversation_texts');
      return await texts.countDocuments({ _id: { $gte: prefix, $lt: `${prefix}~` } });
    } finally {
      await store.stop();
    }
  }
});

describe('a request', () => {
  const part = { type: 'message', role: 'user', body: 'x' };
  const one = (more: object) => ({ id: 'x', parts: [part], ...more });
  it.each([
    ['no parts', one({ parts: [] }), 'body.parts'],
    ['a role that is none', one({ parts: [{ ...part, role: 'bot' }] }), 'body.parts[0].role'],
    ['a type that is none', one({ parts: [{ ...part, type: 'note' }] }), 'body.parts[0].type'],
    ['an id that is too long', one({ id: 'x'.repeat(256) }), 'body.id'],
    ['a part that is too long', one({ parts: [{ ...part, body: 'x'.repeat(65_537) }] }), 'body.parts[0].body'],
    ['a link that does not lead to a page', one({ metadata: { url: 'javascript:alert(1)' } }), 'body.metadata.url'],
    ['a date ahead', one({ metadata: { createdAt: '2999-01-01T00:00:00Z' } }), 'body.metadata.createdAt'],
    [
      'too many attributes',
      one({ metadata: { attributes: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`a${n}`, ''])) } }),
      'body.metadata.attributes',
    ],
    ['a list with one that is not valid', [one({}), one({ id: 'y', parts: [] })], 'body[1].parts'],
    [
      'a list with a date ahead',
      [one({ metadata: { createdAt: '2999-01-01T00:00:00Z' } })],
      'body[0].metadata.createdAt',
    ],
    ['a list with an id twice', [one({}), one({ id: 'y' }), one({})], 'body[2].id'],
    ['an empty list', [], 'body'],
    ['a list of 501', Array.from({ length: 501 }, (_, n) => one({ id: String(n) })), 'body'],
  ])('with %s is refused, and nothing of it is stored', async (_, body, field) => {
    expect(refusal(await world.send('POST', path, body))).toEqual([400, 'invalid_request', field]);
    expect((await world.done('GET', `${path}?externalId=x`))['count']).toBe(0);
  });

  it('of more than 10 MiB is refused', async () => {
    const parts = Array.from({ length: 200 }, () => ({ ...part, body: 'x'.repeat(60_000) }));
    expect((await world.send('POST', path, one({ parts }))).status).toBe(413);
  });

  it('of 500 conversations is one entry of the audit log', async () => {
    const audit = `${world.org}/audit-events?action=conversations_ingested`;
    const before = (await world.done('GET', audit))['count'];
    const many = Array.from({ length: 500 }, (_, n) => said(`many-${n}`, `Message ${n}`));
    expect(await world.ingest(many)).toBe(204);
    expect(await world.ingest(many)).toBe(204);
    const told = async () => (await world.done('GET', audit))['count'];
    await eventually(async () => (await told()) === Number(before) + 1);
  });

  it('that is repeated with its key changes nothing', async () => {
    const options = { body: said('keyed', 'Once'), headers: { 'idempotency-key': 'k-1' } };
    expect((await world.rig.send('POST', path, options)).status).toBe(204);
    expect((await world.rig.send('POST', path, options)).status).toBe(204);
    expect((await world.done('GET', `${path}?externalId=keyed`))['count']).toBe(1);
  });
});

describe('a list of conversations', () => {
  it('is filtered, and goes on page by page', async () => {
    const created = (n: number) => ({ metadata: { createdAt: `2026-05-0${n}T03:00:00+03:00` } });
    await world.ingest([1, 2, 3].map((n) => said(`dated-${n}`, 'When?', created(n))));
    await analysed(world);
    const from = `${path}?from=2026-05-01T00:00:00Z&to=2026-05-03T02:00:00%2B02:00`;
    const found = await world.done('GET', from);
    expect(found.items.map(({ externalId }) => externalId)).toEqual(['dated-2', 'dated-1']);
    expect(get(found, 'items.0.createdAt')).toBe('2026-05-02T00:00:00.000Z');
    const first = await world.done('GET', `${from}&limit=1`);
    const next = await world.done('GET', `${from}&limit=1&page=${String(get(first, 'next.page'))}`);
    expect([...first.items, ...next.items]).toEqual(found.items);
    expect((await world.done('GET', `${path}?source=email`))['count']).toBe(0);
  });
});

describe('an installation of an integration', () => {
  it('ingests what it may, and deletes its own conversations alone', async () => {
    const { organization } = world.rig;
    const { name, installation, token } = await install(world, ['conversations:ingest'], organization);
    expect(await world.ingest(said('c-1', 'From elsewhere'), token)).toBe(204);
    const source = `integration:${name}:${installation}`;
    const { items } = await world.done('GET', `${path}?source=${source}`);
    expect(items.map((one) => [one['externalId'], one['source']])).toEqual([['c-1', source]]);
    const [own, other] = [String(items[0]?.['id']), await world.idOf('dated-1')];
    expect((await world.send('GET', path, undefined, token)).status).toBe(403);
    expect((await world.send('DELETE', `${path}/${other}`, undefined, token)).status).toBe(204);
    expect((await world.send('GET', `${path}/${other}`)).status).toBe(200);
    expect((await world.send('DELETE', `${path}/${own}`, undefined, token)).status).toBe(205);
  });

  it('is refused without the scope, and in another organization', async () => {
    const { token } = await install(world, [], world.rig.organization);
    expect(await world.ingest(said('no', 'No'), token)).toBe(403);
    const elsewhere = String((await world.done('POST', '/orgs', { title: 'Elsewhere' }))['id']);
    const granted = await install(world, ['conversations:ingest'], world.rig.organization);
    const answer = await world.send('POST', `/orgs/${elsewhere}/conversations`, said('no', 'No'), granted.token);
    expect(answer.status).toBe(404);
  });
});
