import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { termsOf, vectorOf, weightsOf, cutTable, countConversation, startCounting } from '@scriptorium/clustering';
import { adjustedRandIndex, simulate } from '@scriptorium/clustering/quality';
import { kMeans } from './k-means.js';
import { readLabelled, shuffled, type LabelledText } from './labelled-texts.js';
import type { Context, Figure, Scenario } from './scenario.js';

const name = 'clustering';
const goals = { agreement: 0.25, more: 0.08, seconds: 60, memory: 256, slowestMs: 1_000 };
const orders = [1, 2, 3];
const large = 10_000;
const where =
  'clustering is left out: give --messages FOLDER with test.csv and train.csv of BANKING77 (CC BY 4.0), the folder ' +
  'banking_data of https://github.com/PolyAI-LDN/task-specific-datasets';

/** Whether clusters of messages agree with what people say they are about, and what they cost. It needs no product. */
export const clustering: Scenario = {
  name,
  summary: 'Clusters of labelled messages (--messages FOLDER) beside k-means, and 10,000 messages',
  async run({ options: { messages }, say }: Context): Promise<Figure[]> {
    if (messages === undefined || !existsSync(join(messages, 'test.csv'))) {
      say(where);
      return [];
    }
    const [test, train] = await Promise.all(
      ['test.csv', 'train.csv'].map(async (file) => readLabelled(await readFile(join(messages, file), 'utf8'))),
    );
    // The memory that the process has grown by says something as long as nothing else ran in it.
    const costs = costFigures((train ?? []).slice(0, large));
    return [...agreementFigures(test ?? []), ...costs];
  },
};

/** The agreement is the mean of three orders of the messages: clusters depend on what came first. */
function agreementFigures(texts: readonly LabelledText[]): Figure[] {
  const runs = orders.map((seed) => {
    const order = shuffled(texts, seed);
    const subjects = order.map(({ subject }) => subject);
    const { clusters } = simulate(conversationsOf(order), 'en');
    return { own: adjustedRandIndex(clusters, subjects), baseline: baselineOf(order, subjects, seed), clusters };
  });
  const own = mean(runs.map((run) => run.own));
  const baseline = mean(runs.map((run) => run.baseline));
  const each = (values: number[]): string => values.map((value) => value.toFixed(3)).join(', ');
  return [
    {
      scenario: name,
      what: `agreement (ARI) on ${texts.length} messages; k-means on TF-IDF that is told k: ${baseline.toFixed(3)}`,
      value: own,
      unit: 'ARI',
      goal: `>= ${goals.agreement} and >= ${(baseline + goals.more).toFixed(3)}`,
      met: own >= goals.agreement && own >= baseline + goals.more,
      note: `orders: ${each(runs.map((run) => run.own))}; k-means: ${each(runs.map((run) => run.baseline))}`,
    },
    { scenario: name, what: 'clusters', value: mean(runs.map(({ clusters }) => new Set(clusters).size)), unit: '' },
  ];
}

/** K-means over the same terms, weighed by all texts at once, and told how many subjects there are. */
function baselineOf(texts: readonly LabelledText[], subjects: readonly string[], seed: number): number {
  const terms = texts.map(({ text }) => termsOf(text, 'en'));
  const counting = startCounting();
  for (const each of terms) countConversation(counting, [each]);
  const weights = weightsOf(cutTable(counting, 1));
  const vectors = terms.map((each) => vectorOf(each, weights).terms);
  return adjustedRandIndex(kMeans(vectors, new Set(subjects).size, seed), subjects);
}

function costFigures(texts: readonly LabelledText[]): Figure[] {
  const conversations = conversationsOf(shuffled(texts, 1));
  const before = process.memoryUsage().rss;
  const began = process.cpuUsage();
  const { slowestMs } = simulate(conversations, 'en');
  const { user, system } = process.cpuUsage(began);
  const [seconds, memory] = [(user + system) / 1e6, (process.memoryUsage().rss - before) / 2 ** 20];
  const figure = (what: string, value: number, unit: string, goal: number): Figure => ({
    scenario: name,
    what,
    value,
    unit,
    goal: `<= ${goal}`,
    met: value <= goal,
  });
  return [
    figure(`${conversations.length} messages, CPU`, seconds, 's', goals.seconds),
    figure(`${conversations.length} messages, memory`, memory, 'MiB more', goals.memory),
    figure('the slowest message', slowestMs, 'ms', goals.slowestMs),
  ];
}

const conversationsOf = (texts: readonly LabelledText[]) =>
  texts.map(({ text }) => ({ parts: [{ role: 'user' as const, text }] }));

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
