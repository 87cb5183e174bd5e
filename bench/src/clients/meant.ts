/** A difference between an answer and the document of a client that is meant. */
interface MeantDifference {
  is: RegExp;
  reason: string;
  /** It is seen only if a delivery waits, or is made, at the time of the request. */
  isOfMoment?: true;
}

/** Differences from both documents. */
const ofBoth: readonly MeantDifference[] = [
  {
    is: /^\w+SAMLProviders?\w* .* must have required property '(certificate|entityID|ssoURL)'$/,
    reason: 'a provider is made before the other side is known: what has not been told is left out',
  },
  {
    is: /\/dependencies\/spec\/ref\/kind must be equal to one of the allowed values/,
    reason: 'pages are computed from a file of the space, too, which has a specification',
  },
  {
    is: /^getContributorsByChangeRequestId \/items\/\*\/actionType must be equal to/,
    reason: 'a review is an action of its own, counted apart from comments',
  },
  {
    is: /^listUserPermissionsIn(Space|Collection) \/items\/\* must have required property 'permission'$/,
    reason: 'somebody who is granted no access has no level: `access` is "none"',
  },
  {
    is: /^getCurrentRevision \/ must have required property 'mergedFrom'$/,
    reason: 'visitors of a site are not shown change requests',
  },
  {
    is: /^trackEventsInSiteById ignores /,
    reason: 'events are counted, and nothing is kept of the visitor',
  },
  {
    is: /^(get|list)IntegrationEvents? .*\/payload must have required property 'previous'$/,
    reason: 'a setup that is the first one has no status before it',
  },
  {
    is: /^(get|list)IntegrationEvents? .*\/status must be equal to one of the allowed values/,
    reason: 'deliveries that wait are shown, too: `queued`',
    isOfMoment: true,
  },
  {
    is: /^(get|list)IntegrationEvents? .*\/payload must have required property 'status'$/,
    reason: 'the status of a space or site is read when the script is called; no record of an event keeps it',
    isOfMoment: true,
  },
];

/** Differences from the document of 0.146 alone: what newer clients know. */
const ofFirst: readonly MeantDifference[] = [
  {
    is: /^(list|get)ConversationsIssuesCluster\w* .*\/stats must have required property 'tasks\w+'$/,
    reason: 'tasks are no part of this API',
  },
  {
    is: /^(list|get)ConversationsIssuesCluster\w* .*\/urls must have required property 'app'$/,
    reason: 'no page shows a cluster',
  },
  {
    is: /^(list|get)Conversation\w* .*\/source must (be equal to one of the allowed values|match pattern)/,
    reason: 'users send conversations, too: their source is `api`',
  },
  {
    is: /\/features\/\*\/customizations\/\* must be equal to one of the allowed values/,
    reason: 'one of the values, `header-primary-link`, is known to newer clients alone',
  },
  {
    is: /^listPermissionsAggregateInSite \/items\/\*\/origin\/type must be equal to one of the allowed values/,
    reason: 'a grant of a site comes from the site, as newer clients know',
  },
];

/** Differences from the document of 0.202 alone, which requires what the one of 0.146 does not have. */
const newer = 'the document of 0.146 does not have it';
const ofNewest: readonly MeantDifference[] = [
  { is: / must have required property 'draft'$/, reason: newer },
  { is: / must have required property 'tags'$/, reason: newer },
  { is: /\/layout must have required property '(coverMask|anchors|actions)'$/, reason: newer },
  { is: /^\w*Site\w* .*must have required property '(appliedType|defaultLevel|preview)'$/, reason: newer },
  { is: /^\w*Redirect\w* .*must have required property '(captureWildcard|permanent|createdAt)'$/, reason: newer },
  { is: /^\w*(Customization|Published)\w* .*required property '(codeTheme|socialAccounts|items)'$/, reason: newer },
  { is: /^\w*(Organization|Integration)\w* .*\/permissions must have required property 'access'$/, reason: newer },
  { is: /^listOrganizationIntegrationsStatus .* must have required property 'target'$/, reason: newer },
  { is: /^\w+ .* must have required property 'sites'$/, reason: newer },
  { is: /^search\w+Content .* must have required property '(score|rank|type|description)'$/, reason: newer },
  { is: /^listPermissionsAggregateInSite .* must have required property '(disabled|reason)'$/, reason: newer },
  { is: /OpenAPISpec\w* .*must have required property 'lastProcessedErrorCount'$/, reason: newer },
  { is: /Audit\w+ .* must have required property/, reason: 'the audit of the product has a form of its own' },
  {
    is: /^get\w*Document\w* .*\/data (must have required property 'action'|must NOT have additional properties)$/,
    reason: 'no button fits: one of its two parts allows the reference alone, and the other one requires a label',
  },
  { is: /^updateChangeRequestContent \/changes\/\*\/page must have required property 'object'$/, reason: newer },
];

/** Differences from the documents of the client that are meant, each with the reason. */
export const meantDifferences: readonly MeantDifference[] = [...ofBoth, ...ofFirst, ...ofNewest];

const notBuilt = 'not built yet';
const noPart = 'no part of this API';

/** Operations of the client that the product does not have, by their method and path. */
export const unbuilt: readonly { places: RegExp; reason: string }[] = [
  { places: /\/(integrations|integrations_status|integration-blocks|installations)\b/, reason: notBuilt },
  { places: /\/integration-scripts$/, reason: notBuilt },
  { places: /\/change-requests\/[^/]+\/conversations\b/, reason: noPart },
  { places: /\/pdf$/, reason: notBuilt },
  { places: /\/git(-sync)?\b/, reason: 'not built yet: content of Git repositories' },
  { places: / \/org\/[^/]+\/imports\b/, reason: 'driven by its other path, which begins with /orgs' },
  { places: /\/reusable-contents\/[^/]+\/document$/, reason: noPart },
  { places: /\/(change-requests\/[^/]+\/content|revisions\/[^/]+)\/page\/[^/]+\/meta-links$/, reason: noPart },
  { places: /\/(ask|ai|ai-usage|agents?|agents-setup|agent-tasks|agent-settings|agent-feedback)\b/, reason: noPart },
  { places: /\/(fonts|ads|mcp-servers|channels|external-links|styleguides?|styleguide-templates)\b/, reason: noPart },
  { places: /\/(context|context-records|context-connections|findings|questions|question-stats)\b/, reason: noPart },
  { places: /\/(answers|topics|scans|prewarm|search\/prewarm)\b/, reason: noPart },
  { places: /\/insights\/(events\/aggregate|visitor-segments)$/, reason: noPart },
  { places: / \/user\/notifications\/token$/, reason: noPart },
  { places: /\/sites\/[^/]+\/template$/, reason: noPart },
  { places: /^PUT .*\/redirects$/, reason: noPart },
  { places: / \/custom-hostnames\//, reason: 'a site has its hostname itself' },
];
