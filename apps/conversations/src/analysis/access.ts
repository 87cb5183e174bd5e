import { organizationAccess, type ServiceAccess } from '@scriptorium/access';
import type { AccessResolvers } from '@scriptorium/platform';
import { findCluster } from '../clusters/index.js';
import { findIssue } from './issues.queries.js';

/** How access to issues and clusters is resolved: by the role. */
export function analysisAccess(access: ServiceAccess): AccessResolvers {
  return {
    async conversation_issue(scope, principal, { organizationId = '', issueId = '' }) {
      const place = organizationAccess(await access.placeIn(scope, organizationId, principal));
      return { ...place, exists: (await findIssue(scope, { organizationId, issueId })) !== null };
    },
    async issues_cluster(scope, principal, { organizationId = '', clusterId = '' }) {
      const place = organizationAccess(await access.placeIn(scope, organizationId, principal));
      return { ...place, exists: (await findCluster(scope, { organizationId, clusterId })) !== null };
    },
  };
}
