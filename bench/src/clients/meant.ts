/** Differences from the documents of the client that are meant, each with the reason. */
export const meantDifferences: readonly { is: RegExp; reason: string }[] = [];

const notBuilt = 'not built yet';
const noPart = 'no part of this API';

/** Operations of the client that the product does not have, by their paths. */
export const unbuilt: readonly { paths: RegExp; reason: string }[] = [
  { paths: /\/openapi\b/, reason: notBuilt },
  { paths: /\/(translations|glossary)\b/, reason: notBuilt },
  {
    paths: /\/(integrations|integrations_status|integration-blocks|installations|integration-scripts)\b/,
    reason: notBuilt,
  },
  { paths: /\/conversations(-issues|-clusters)?\b/, reason: notBuilt },
  { paths: /\/pdf$/, reason: notBuilt },
  { paths: /\/git(-sync)?\b/, reason: 'not built yet: content of Git repositories' },
  { paths: /^\/org\/[^/]+\/imports\b/, reason: 'driven by its other path, which begins with /orgs' },
  { paths: /\/reusable-contents\/[^/]+\/document$/, reason: noPart },
  { paths: /\/(change-requests\/[^/]+\/content|revisions\/[^/]+)\/page\/[^/]+\/meta-links$/, reason: noPart },
  { paths: /\/(ask|ai|ai-usage|agents-setup|agent-tasks|agent|agent-settings|agent-feedback)\b/, reason: noPart },
  { paths: /\/(fonts|ads|mcp-servers|channels|external-links|styleguides?|prewarm)\b/, reason: noPart },
  { paths: /\/(context|findings|questions|topics|scans)\b/, reason: noPart },
  { paths: /\/insights\/(events\/aggregate|visitor-segments)$/, reason: noPart },
  { paths: /^\/custom-hostnames\//, reason: 'a site has its hostname itself' },
];
