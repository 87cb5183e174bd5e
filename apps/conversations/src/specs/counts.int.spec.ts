import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import { analysed, miscounted, seenClusters } from '../test/analysed.js';
import { said, startConversationRig, type ConversationRig } from '../test/conversation-rig.js';

const [topics, verbs] = [
  ['invoice', 'bank card', 'exchange rate', 'password', 'PDF export', 'dark mode', 'search results'],
  ['is wrong', 'does not arrive', 'fails again', 'is too slow', 'disappeared yesterday'],
];

/** Numbers that are the same for the same seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('counts of clusters', () => {
  let world: ConversationRig;
  beforeAll(async () => void (world = await startConversationRig()), 60_000);
  afterAll(() => world.rig.stop());

  const next = numbersFrom(Number(process.env['SEED'] ?? 1));
  const text = (): string => `My ${topics[next(topics.length)] ?? ''} ${verbs[next(verbs.length)] ?? ''}, why is that?`;
  const someCluster = async (): Promise<string | undefined> => {
    const { items } = await world.done('GET', `${world.org}/conversations-clusters`);
    return items.length === 0 ? undefined : String(items[next(items.length)]?.['id']);
  };

  /** A list may show a cluster before the last of its issues. */
  const requireCounted = async (): Promise<void> => {
    let wrong: unknown[] = [];
    await eventually(async () => (wrong = miscounted(await seenClusters(world))).length === 0).catch(() => undefined);
    expect(wrong).toEqual([]);
  };

  const commands: (() => Promise<unknown>)[] = [
    // Several at once, some of which are there already, with one or two subjects.
    async () => {
      const ids = new Set(Array.from({ length: 1 + next(8) }, () => `c${next(40)}`));
      await world.ingest([...ids].map((id) => said(id, next(3) === 0 ? [text(), text()] : text())));
    },
    async () => {
      const { items } = await world.done('GET', `${world.org}/conversations`);
      const found = items[next(items.length || 1)];
      if (found !== undefined) await world.done('DELETE', `${world.org}/conversations/${String(found['id'])}`);
    },
    async () => {
      const [from, into] = [await someCluster(), await someCluster()];
      if (from === undefined || into === undefined) return;
      await world.send('PATCH', `${world.org}/conversations-clusters/${from}`, { mergeInto: into });
    },
    async () => {
      const { items } = await world.done('GET', `${world.org}/conversations-issues`);
      const issues = items.slice(0, 1 + next(3)).map(({ issue }) => (issue as { id: string }).id);
      const to = await someCluster();
      if (to === undefined || issues.length === 0) return;
      await world.send('POST', `${world.org}/conversations-clusters/${to}/issues`, { issues });
    },
    () => analysed(world),
  ];

  it('are those of their issues after any sequence of requests, and equal when they are built anew', async () => {
    for (let n = 0; n < 40; n += 1) {
      await commands[next(commands.length)]?.();
      if (n % 8 !== 7) continue;
      await analysed(world);
      await requireCounted();
    }
    await analysed(world);
    await requireCounted();
    for (const name of ['conversation_v1', 'conversation_total_v1', 'conversation_issue_v1', 'issues_cluster_v1']) {
      const rebuilt = await world.done('POST', `/operator/conversations/projections/${name}/rebuild`);
      expect([name, rebuilt['equal']]).toEqual([name, true]);
    }
  }, 120_000);
});
