export { type Access, type Reads, createAccess, identityReadModels } from './access.js';
export { findTeams } from './find-teams.js';
export {
  type Freshness,
  type FreshnessOptions,
  type Heartbeat,
  type ProgressSource,
  createFreshness,
} from './freshness.js';
export { type GrantFilter, type Granting, type GrantListed, teamGrantPage, userGrantPage } from './grant-lists.js';
export { knownTeams } from './known-team.projection.js';
export { type DefaultLevel, type Grantee, type Level, type NodeGrants, grantedToUser, resolveLevel } from './level.js';
export {
  type InstallationFacts,
  installationStatus,
  type IntegrationDemands,
  requiredIn,
} from './installation-status.js';
export {
  type InstallationReachDocument,
  type ReachedTarget,
  installationReach,
} from './installation-reach.projection.js';
export { type IntegrationReachDocument, integrationReach } from './integration-reach.projection.js';
export {
  type InstallationReach,
  type InstallationViewer,
  installationInOrganization,
  installationPlace,
  reachReadModels,
  tokenGeneration,
  viewerOfReach,
} from './installation-reach.js';
export { levelPage } from './level-list.js';
export { membershipKey, memberships } from './membership.projection.js';
export { type NodeAccessDocument, type NodeKind, nodeAccess } from './node-access.projection.js';
export { type IndexWork, type NodeIndex, type NodeIndexOptions, createNodeIndex } from './node-index.js';
export { nodeResourceAccess, partResourceAccess } from './node-resource-access.js';
export { closed, type NodeTree, type VisibleNodes } from './node-tree.js';
export { type OrganizationFactDocument, organizationFacts } from './organization-fact.projection.js';
export { collectionPermissions, spacePermissions } from './permissions.js';
export { type MembershipFacts, type OrganizationFacts, type Place, placeOf } from './place.js';
export {
  type NodeViewer,
  ServiceAccess,
  accessDomain,
  accessWithInstallationsDomain,
  organizationAccess,
} from './service-access.js';
export { reachedSince } from './reached-since.js';
export { type TeamSeat, teamSeats } from './team-seat.projection.js';
export { longestChain } from './tree-nodes.js';
export { visitorOf } from './visitor.js';
