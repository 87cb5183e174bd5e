export { siteAddress, internalAddress, Publishing } from './addresses/addresses.js';
export { type SiteSettings } from './site/settings.js';
export { sites, type SiteDocument } from './site/site.projection.js';
export { createdSite, requireActive, site, type ActiveSite, type RecordedSite, type SiteState } from './site/site.js';
export { levelsOn, requireSite, spacesOnSite, type SiteParams, type ViewedSite } from './shown/site-viewer.queries.js';
export * from './structure/structure.js';
export { basenameOf, basenames, proxies, siteHostnames } from './site/unique-values.reservation.js';
export { checkedCondition, schemaOf } from './shown/conditions.js';
export { freePath, nthPath, pathOf } from './structure/paths.js';
export { passing, type SiteViewer, shownStructure } from './shown/shown.js';
export { showingTo, showSite, proofOf, viewedSpaces, viewPublished, viewStructure } from './shown/show-site.queries.js';
export { proofNameOf, type ListedSite } from './shown/site.render.js';
export {
  isDefaultSpace,
  renderGroup,
  renderSection,
  renderSiteSpace,
  renderStructure,
  siteSpaceAddress,
  type StructureView,
} from './structure/structure.render.js';
export { viewerOf } from './shown/viewer-of.js';
export { structureAfter } from './structure/structure-after.js';
export { type ShareLinkState } from './site/links.js';
export { customizations } from './shown/customization.projection.js';
export { levelsOf, type SiteGrants } from './site/grants.js';
export * from './site.events.js';
