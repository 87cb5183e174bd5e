import { isTableDue, termsEmbedder, weightsOf } from '@scriptorium/clustering';
import { keyedEntries } from '@scriptorium/event-sourcing';
import { issues, presentClusters } from '../clusters/index.js';
import type { Analysing } from './analysing.process.js';
import { readIssues } from './issue-texts.process.js';
import { cutNextTable } from './weights.operational.js';

/** As many of the newest issues say what terms say. */
const mostIssues = 5_000;

/** Cuts the next weight table of an organization if it is due, and weighs its centroids of terms by it. */
export async function cutTableIfDue(analysing: Analysing): Promise<boolean> {
  const { context, cache, store, organization, embedder, table, cutAt } = analysing;
  const state = await presentClusters(store, organization);
  const { extracted } = state;
  if (!isTableDue(extracted, cutAt)) return false;
  const known = embedder.kind === 'terms' ? await cache.take(analysing, state) : undefined;
  const newest = await store
    .read(issues)
    .find({ organization }, { sort: { createdAt: -1, _id: -1 }, limit: mostIssues })
    .toArray();
  const terms = (await readIssues(context, newest)).map(({ issue }) => issue.terms);
  const next = await cutNextTable(context, organization, { terms, version: table.version + 1, cutAt: extracted });
  if (known === undefined) return true;
  const [weights, before] = [weightsOf(next), weightsOf(table)];
  known.centroids.reweigh((term, of) => weights.weightOf(term, of) / before.weightOf(term, of));
  const touched = keyedEntries(state.living).map(([id]) => id);
  cache.keep(organization, { ...known, version: termsEmbedder(weights).version }, { state, touched });
  return true;
}
