import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import { sized } from '@scriptorium/toolchain/proof';
import { miscounted, seenClusters } from '../test/analysed.js';
import { createPeople, said, type ConversationRig } from '../test/conversation-rig.js';
import { startModelServer, type ModelServer } from '../test/model-server.js';
import { startDyingRig, type DyingRig } from '../test/replicas.js';
import { get } from '../test/rig.js';

jest.setTimeout(240_000);

/** What is written between the steps of an analysis. */
const points = [
  'command "update":"conversation_v1"',
  'op_conversation_texts insertMany body',
  'op_conversation_texts insertMany issue0',
  'op_conversation_texts insertMany label',
  'conversation_issue_v1',
  'op_conversation_texts updateMany $unset',
  'op_cluster_centroids bulkWrite',
  'op_runs endedAt',
];
/** What is written beside that with models. */
const pointsOfModels = [
  'op_conversation_texts insertMany answer',
  'op_conversation_texts bulkWrite vector',
  'op_conversation_texts deleteMany answer',
];
const pointsInAll = [...points, ...pointsOfModels];
/** One in three of them, with models, in the short form. */
const kinds = sized<Array<[string, string[]]>>(
  [['with models', pointsInAll.filter((_, index) => index % 3 === 2)]],
  [
    ['without a model', points],
    ['with models', pointsInAll],
  ],
);
const topics = ['bank card', 'exchange rate', 'PDF export', 'dark mode', 'password reset'];

describe.each(kinds)('the analysis of conversations %s', (kind, all) => {
  let server: ModelServer;
  let rig: DyingRig;
  let world: ConversationRig<DyingRig>;
  beforeAll(async () => {
    server = await startModelServer();
    server.vectorOf = (text) => topics.map((topic) => (text.includes(topic) ? 1 : 0.1));
    const models = {
      CONVERSATIONS_CHAT_URL: server.url,
      CONVERSATIONS_CHAT_MODEL: 'chat',
      CONVERSATIONS_EMBEDDINGS_URL: server.url,
      CONVERSATIONS_EMBEDDINGS_MODEL: 'small',
    };
    rig = await startDyingRig(all, kind === 'with models' ? models : {});
    world = await createPeople(rig);
  }, 120_000);
  afterAll(async () => {
    await rig.stop();
    await server.stop();
  });

  const done = (): Promise<void> =>
    eventually(async () => {
      const { status, body } = await world.send('GET', `${world.org}/conversations?processed=false&limit=0`);
      return status === 200 && body['count'] === 0;
    }, 120_000);

  it('finds each issue once, however often a replica is killed at one of its steps', async () => {
    await rig.arm();
    for (const word of ['first', 'second', 'third']) {
      const sent = topics.map((topic, n) => said(`${topic}-${n}`, `The ${topic} fails for the ${word} time`));
      await eventually(async () => (await world.ingest(sent)) === 204, 60_000);
      await done();
    }
    await eventually(async () => (await rig.left()).length === 0, 60_000);
    await done();
    const listed = await world.done('GET', `${world.org}/conversations-issues?limit=1000`);
    const owners = listed.items.map(({ conversation }) => String(get(conversation, 'id')));
    expect([owners.length, new Set(owners).size]).toEqual([topics.length, topics.length]);
    expect(listed.items.every(({ issue }) => String(get(issue, 'title')).includes('third'))).toBe(true);
    expect(miscounted(await seenClusters(world))).toEqual([]);
    const { items: runs } = await world.done('GET', '/operator/conversations/runs?limit=1000');
    const analyses = runs
      .filter(({ kind, startedAt }) => kind === 'conversation_analysis' && startedAt !== undefined)
      .map(({ startedAt, endedAt }) => ({ startedAt: String(startedAt), endedAt: String(endedAt) }))
      .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
    // Two replicas never analyse at the same time.
    analyses.slice(1).forEach(({ startedAt }, n) => expect(startedAt >= (analyses[n]?.endedAt ?? '')).toBe(true));
    for (const name of ['conversation_v1', 'conversation_total_v1', 'conversation_issue_v1', 'issues_cluster_v1']) {
      const rebuilt = await world.done('POST', `/operator/conversations/projections/${name}/rebuild`);
      expect([name, rebuilt['equal']]).toEqual([name, true]);
    }
    const asked = server.chats.filter(({ sent }) => sent.messages !== undefined).length;
    expect(asked > 0).toBe(kind === 'with models');
  });
});
