export {
  activeInstallations,
  activeSince,
  allowedSince,
  findInstalled,
  type InstallationNeed,
  type InstalledIntegration,
  installedIntegrations,
  isActiveFor,
} from './active-installations.js';
export { type Access, type Reads, createAccess, identityReadModels } from './access.js';
export {
  findTeams,
  levelPage,
  teamGrantPage,
  userGrantPage,
  type GrantFilter,
  type Granting,
  type GrantListed,
} from './grant-lists.js';
export { knownTeams } from './known-team.projection.js';
export {
  collectionPermissions,
  grantedToUser,
  resolveLevel,
  spacePermissions,
  type DefaultLevel,
  type Grantee,
  type Level,
  type NodeGrants,
} from './level.js';
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
  reachedSince,
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
export { membershipKey, memberships } from './membership.projection.js';
export { type NodeAccessDocument, type NodeKind, nodeAccess } from './node-access.projection.js';
export { closed, type NodeTree, type VisibleNodes } from './node-tree.js';
export { type OrganizationFactDocument, organizationFacts } from './organization-fact.projection.js';
export {
  nodeResourceAccess,
  organizationAccess,
  partResourceAccess,
  placeOf,
  visitorOf,
  type MembershipFacts,
  type OrganizationFacts,
  type Place,
} from './place.js';
export { type NodeViewer, ServiceAccess, accessDomain, accessWithInstallationsDomain } from './service-access.js';
export { type TeamSeat, teamSeats } from './team-seat.projection.js';
export { longestChain } from './tree-nodes.js';
