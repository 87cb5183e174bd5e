import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, said, startConversationRig, type ConversationRig } from '../test/conversation-rig.js';

describe('the limit of conversations', () => {
  let world: ConversationRig;
  beforeAll(async () => {
    world = await startConversationRig({ variables: { MAX_CONVERSATIONS_PER_ORGANIZATION: '3' } });
  }, 60_000);
  afterAll(() => world.rig.stop());

  it('refuses what is beyond it, and not what replaces', async () => {
    const path = `${world.org}/conversations`;
    expect(await world.ingest([said('a', 'One'), said('b', 'Two')])).toBe(204);
    expect(refusal(await world.send('POST', path, [said('c', 'Three'), said('d', 'Four')]))).toEqual([
      409,
      'limit_reached',
      'conversationsPerOrganization',
    ]);
    expect((await world.done('GET', path))['count']).toBe(2);
    expect(await world.ingest([said('a', 'One again'), said('c', 'Three')])).toBe(204);
    expect(await world.ingest(said('b', 'Two again'))).toBe(204);
    expect(refusal(await world.send('POST', path, said('e', 'Five')))[0]).toBe(409);
    expect((await world.send('DELETE', `${path}/${await world.idOf('b')}`)).status).toBe(205);
    expect(await world.ingest(said('e', 'Five'))).toBe(204);
  });
});
