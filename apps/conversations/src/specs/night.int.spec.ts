import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clusters } from '../clusters/index.js';
import { analysed, isQuiet, miscounted, seenClusters } from '../test/analysed.js';
import { createPeople, said, type ConversationRig } from '../test/conversation-rig.js';
import { eventually, startRig, type Rig } from '../test/own-rig.js';
import { get } from '../test/rig.js';

describe('the analysis at night', () => {
  let world: ConversationRig<Rig>;
  beforeAll(async () => void (world = await createPeople(await startRig())), 60_000);
  afterAll(() => world.rig.stop());

  const state = () => world.rig.store.load(clusters, world.rig.organization);
  const runs = async () => (await world.done('GET', '/operator/conversations/runs?limit=1000')).items;
  const issueOf = async (id: string) => {
    const path = `${world.org}/conversations-issues?conversation=${await world.idOf(id)}`;
    const { items } = await world.done('GET', path);
    return { issue: String(get(items[0], 'issue.id')), cluster: String(get(items[0], 'issue.cluster')) };
  };
  /** Has it be night, and waits until everything is analysed. */
  const night = async (): Promise<void> => {
    const timers = world.rig.store.database.collection<{ _id: string }>('op_timers');
    const { organization } = world.rig;
    await eventually(() => isQuiet(world), 30_000);
    const before = (await runs()).length;
    await timers.updateOne({ _id: `analyse_conversations_at_night:${organization}` }, { $set: { at: 0, due: 0 } });
    await eventually(async () => (await runs()).length > before && isQuiet(world), 30_000);
  };

  it('merges clusters that are alike, and records nothing in a night in which nothing came', async () => {
    await world.ingest([
      said('rate-1', 'The exchange rate is wrong'),
      said('rate-2', 'Why is the exchange rate wrong again?'),
      said('dark', 'Dark mode hurts my eyes'),
    ]);
    await analysed(world);
    const [{ issue, cluster: from }, { cluster: to }] = [await issueOf('rate-2'), await issueOf('dark')];
    await world.done('POST', `${world.org}/conversations-clusters/${to}/issues`, { issues: [issue] });
    await night();
    expect((await world.done('GET', `${world.org}/conversations-clusters`))['count']).toBe(1);
    for (const id of [from, to])
      expect(await world.done('GET', `${world.org}/conversations-clusters/${id}`)).toMatchObject({
        stats: { issues: 3, conversations: 3 },
      });
    expect(miscounted(await seenClusters(world))).toEqual([]);
    const { extracted, regroupedAt, changes } = await state();
    expect([extracted, regroupedAt]).toEqual([3, 3]);
    await night();
    expect((await state()).changes).toBe(changes);
  }, 60_000);

  it('makes centroids again that are missing', async () => {
    const centroids = world.rig.store.database.collection('op_cluster_centroids');
    await centroids.deleteMany({});
    await world.ingest(said('rate-3', 'The exchange rate is still wrong'));
    await analysed(world);
    expect((await world.done('GET', `${world.org}/conversations-clusters`))['count']).toBe(1);
    await eventually(async () => (await centroids.countDocuments({})) === 1);
  }, 60_000);
});
