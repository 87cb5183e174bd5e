import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analysed, miscounted, seenClusters } from '../test/analysed.js';
import { said, startConversationRig, type ConversationRig } from '../test/conversation-rig.js';
import { get } from '../test/rig.js';

let world: ConversationRig;
let clusters: string;
beforeAll(async () => {
  world = await startConversationRig();
  clusters = `${world.org}/conversations-clusters`;
}, 60_000);
afterAll(() => world.rig.stop());

/** Sends a conversation, and waits until it is analysed: the id of its issue, and of the cluster. */
async function sent(id: string, text: string): Promise<{ issue: string; cluster: string }> {
  await world.ingest(said(id, text));
  await analysed(world);
  const path = `${world.org}/conversations-issues?conversation=${await world.idOf(id)}`;
  const { items } = await world.done('GET', path);
  return { issue: String(get(items[0], 'issue.id')), cluster: String(get(items[0], 'issue.cluster')) };
}
const shown = (cluster: string) => world.done('GET', `${clusters}/${cluster}`);
const change = (cluster: string, body: object) => world.done('PATCH', `${clusters}/${cluster}`, body);

describe('a cluster that a person has corrected', () => {
  it('stays when it is named and its only conversation is sent again, and gets the new issue', async () => {
    const { cluster } = await sent('named', 'The gift voucher is not accepted at the checkout');
    await change(cluster, { label: 'Gift voucher at the checkout' });
    const again = await sent('named', 'The gift voucher is still not accepted at the checkout, why?');
    expect(again.cluster).toBe(cluster);
    expect(await shown(cluster)).toMatchObject({ id: cluster, label: 'Gift voucher at the checkout' });
  });

  it('stays without issues when it is pinned', async () => {
    const { cluster } = await sent('pinned', 'The calendar shows holidays of another country');
    await change(cluster, { pinned: true });
    await sent('pinned', 'Thunderstorms break the satellite antenna');
    expect(await shown(cluster)).toMatchObject({ id: cluster, pinned: true, stats: { issues: 0, conversations: 0 } });
  });

  it('stays without issues when a person has moved some there', async () => {
    const [{ issue }, { cluster: to }] = [
      await sent('moved', 'Webhook retries stop at midnight'),
      await sent('target', 'Keyboard shortcuts collide with the browser'),
    ];
    await world.done('POST', `${clusters}/${to}/issues`, { issues: [issue] });
    await sent('moved', 'Elephants walk through the garden slowly');
    await world.done('DELETE', `${world.org}/conversations/${await world.idOf('target')}`);
    expect(await shown(to)).toMatchObject({ id: to, stats: { issues: 0, conversations: 0 } });
  });

  it('stays without issues when a person has merged another one into it', async () => {
    const [{ cluster: from }, { cluster: into }] = [
      await sent('merged', 'Translations of legal notices are outdated'),
      await sent('kept', 'Bluetooth headphones disconnect constantly'),
    ];
    await change(from, { mergeInto: into });
    for (const id of ['merged', 'kept'])
      await world.done('DELETE', `${world.org}/conversations/${await world.idOf(id)}`);
    expect(await shown(from)).toMatchObject({ id: into, stats: { issues: 0, conversations: 0 } });
    expect(miscounted(await seenClusters(world))).toEqual([]);
  });
});

describe('a change of a cluster', () => {
  it('is made as a whole or not at all', async () => {
    const { cluster } = await sent('whole', 'Passkeys are rejected by the sign-in form');
    const before = await shown(cluster);
    const refused = await world.send('PATCH', `${clusters}/${cluster}`, {
      label: 'Lost',
      pinned: true,
      mergeInto: 'none',
    });
    expect(refused.status).toBe(400);
    expect(await shown(cluster)).toEqual(before);
  });

  it('that merges it names and pins the cluster that has its issues then', async () => {
    const [{ cluster: from }, { cluster: into }] = [
      await sent('one', 'Subtitles are missing in training videos'),
      await sent('two', 'Parquet downloads have duplicate columns'),
    ];
    const changed = await change(from, { label: 'Videos and files', pinned: true, mergeInto: into });
    expect(changed).toMatchObject({ id: into, label: 'Videos and files', pinned: true, stats: { issues: 2 } });
    expect(miscounted(await seenClusters(world))).toEqual([]);
  });
});

describe('a cluster that nobody has corrected', () => {
  it('goes when its only conversation is sent again', async () => {
    const { cluster } = await sent('plain', 'Invoices have the wrong postal address');
    const again = await sent('plain', 'Invoices have a wrong postal address, please help');
    expect(again.cluster).not.toBe(cluster);
    expect((await world.send('GET', `${clusters}/${again.cluster}`)).status).toBe(200);
    expect((await world.send('GET', `${clusters}/${cluster}`)).status).toBe(404);
    expect(miscounted(await seenClusters(world))).toEqual([]);
  });
});
