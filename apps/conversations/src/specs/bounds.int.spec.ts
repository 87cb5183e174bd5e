import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analysed } from '../test/analysed.js';
import { refusal, said, startConversationRig, type ConversationRig } from '../test/conversation-rig.js';
import { get } from '../test/rig.js';

const part = { type: 'message', role: 'user', body: 'x' };
const long = (length: number): string => 'x'.repeat(length);

/** What the contract allows at most, over HTTP: the bound is taken, and one more is refused with the field named. */
describe('bounds of requests', () => {
  let world: ConversationRig;
  let cluster: string;
  beforeAll(async () => {
    world = await startConversationRig();
    await world.ingest(said('one', 'The PDF export fails'));
    await analysed(world);
    const { items } = await world.done('GET', `${world.org}/conversations-clusters`);
    cluster = `${world.org}/conversations-clusters/${String(items[0]?.['id'])}`;
  }, 60_000);
  afterAll(() => world.rig.stop());

  const attributes = (count: number, name: number, value: number) => ({
    metadata: {
      attributes: Object.fromEntries(
        Array.from({ length: count }, (_, n) => [String(n).padEnd(name, 'n'), long(value)]),
      ),
    },
  });
  const address = (length: number): string => `https://example.org/`.padEnd(length, 'a');
  it.each([
    ['an id', { id: long(255) }, { id: long(256) }, 'body.id'],
    ['no id', { id: 'x' }, { id: '' }, 'body.id'],
    ['a subject', { subject: long(512) }, { subject: long(513) }, 'body.subject'],
    ['parts', { parts: new Array(200).fill(part) }, { parts: new Array(201).fill(part) }, 'body.parts'],
    [
      'a part',
      { parts: [{ ...part, body: long(65_536) }] },
      { parts: [{ ...part, body: long(65_537) }] },
      'body.parts[0].body',
    ],
    [
      'characters',
      { parts: [{ ...part, body: '😀' }] },
      { parts: [{ ...part, body: '\ud83d' }] },
      'body.parts[0].body',
    ],
    ['an address', { metadata: { url: address(2_048) } }, { metadata: { url: address(2_049) } }, 'body.metadata.url'],
    ['attributes', attributes(50, 64, 1_024), attributes(51, 64, 1_024), 'body.metadata.attributes'],
    ['an attribute', attributes(1, 64, 1_024), attributes(1, 64, 1_025), `body.metadata.attributes.0${'n'.repeat(63)}`],
    [
      'a date',
      { metadata: { createdAt: '2026-02-28T00:00:00Z' } },
      { metadata: { createdAt: '2026-02-30T00:00:00Z' } },
      'body.metadata.createdAt',
    ],
  ])('of %s', async (_, taken, refused, field) => {
    const send = (more: object) =>
      world.send('POST', `${world.org}/conversations`, { id: 'x', parts: [part], ...more });
    expect((await send(taken)).status).toBe(204);
    expect(refusal(await send(refused)).slice(0, 3)).toEqual([400, 'invalid_request', field]);
  });

  it.each([
    ['label', long(120), long(121)],
    ['summary', long(1_000), long(1_001)],
    ['icon', long(50), long(51)],
    ['icon', 'star', ''],
    ['pinned', true, 'yes'],
  ])('of the %s of a cluster', async (field, taken, refused) => {
    expect((await world.send('PATCH', cluster, { [field]: taken })).status).toBe(200);
    expect(refusal(await world.send('PATCH', cluster, { [field]: refused }))).toEqual([
      400,
      'invalid_request',
      `body.${field}`,
    ]);
  });

  it.each([[[]], [new Array(201).fill('x')]])('of issues that are moved', async (issues) => {
    expect(refusal(await world.send('POST', `${cluster}/issues`, { issues }))).toEqual([
      400,
      'invalid_request',
      'body.issues',
    ]);
  });

  it('of pages of lists', async () => {
    for (const list of ['conversations', 'conversations-issues', 'conversations-clusters']) {
      const refused = await world.send('GET', `${world.org}/${list}?limit=1001`);
      expect(refusal(refused)).toEqual([400, 'invalid_request', 'query.limit']);
      expect(refusal(await world.send('GET', `${world.org}/${list}?page=x`))[2]).toBe('query.page');
      expect(get(await world.done('GET', `${world.org}/${list}?limit=0`), 'items')).toEqual([]);
    }
  });
});
