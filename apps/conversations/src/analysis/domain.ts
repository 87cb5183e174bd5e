import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { Models } from '../models/index.js';
import { analysisAccess } from './access.js';
import { ingestedReactor, nightTimer, retractedReactor, saidReactor } from './analysis.reactor.js';
import { analysisHandler } from './analysis-steps.process.js';
import { analyseCommand, analysisTimer, nightCommand } from './analysis.timer.js';
import { CentroidCache } from './centroid-cache.process.js';
import { centroidIndexes } from './centroids.operational.js';
import { ClustersController } from './clusters.controller.js';
import { DescribeClusterController } from './describe-cluster.controller.js';
import { IssuesController } from './issues.controller.js';

/** From conversations to issues, and from issues to clusters. */
export const analysis = defineDomain({
  name: 'analysis',
  controllers: [IssuesController, ClustersController, DescribeClusterController],
  objects: () => [new CentroidCache()],
  resolvers: ({ use }) => analysisAccess(use(ServiceAccess)),
  reactors: ({ context }) => [saidReactor(context), ingestedReactor(context), retractedReactor(context)],
  timers: ({ context }) => ({ [analyseCommand]: analysisTimer(context), [nightCommand]: nightTimer(context) }),
  runs: ({ context, use }) => [analysisHandler(context, use(CentroidCache), use(Models))],
  indexes: { ...centroidIndexes, op_weight_tables: [] },
});
