import { maskPersonal } from '@scriptorium/clustering';
import { describeIssuesCluster, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { findCluster, newestIssues, showClusters } from '../clusters/index.js';
import { readIssues } from './issue-texts.process.js';

/** Tells other services what a cluster is about. */
@Controller()
export class DescribeClusterController {
  @Handles(describeIssuesCluster)
  async describe(
    { organization, cluster: asked, titles }: z.output<typeof describeIssuesCluster.input>,
    call: Call<Principal | null>,
  ) {
    const doc = await findCluster(call, { organizationId: organization, clusterId: asked });
    const [shown] = doc === null ? [] : await showClusters(call, [doc], false);
    if (doc === null || shown === undefined) return { cluster: null };
    const read = await readIssues(call, await newestIssues(call.store, doc._id, titles));
    // What was found before masks knew a form is masked now.
    return {
      cluster: {
        id: doc._id,
        label: maskPersonal(shown.label),
        ...shown.stats,
        titles: read.map(({ issue }) => maskPersonal(issue.title)),
      },
    };
  }
}
