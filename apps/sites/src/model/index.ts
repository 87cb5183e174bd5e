export { siteAddress, internalAddress } from './addresses.js';
export { Publishing } from './publishing.js';
export { type SiteSettings } from './settings.js';
export { sites, type SiteDocument } from './site.projection.js';
export { createdSite, requireActive, site, type ActiveSite, type RecordedSite, type SiteState } from './site.js';
export { levelsOn, requireSite, spacesOnSite, type SiteParams, type ViewedSite } from './site-viewer.queries.js';
export * from './structure.js';
export { basenameOf, basenames, proxies, siteHostnames } from './unique-values.reservation.js';
export { checkedCondition, schemaOf } from './conditions.js';
export { freePath, nthPath, pathOf } from './paths.js';
export { passing, type SiteViewer, shownStructure } from './shown.js';
export { showingTo, showSite, proofOf, viewedSpaces, viewPublished, viewStructure } from './show-site.queries.js';
export { proofNameOf, type ListedSite } from './site.render.js';
export {
  isDefaultSpace,
  renderGroup,
  renderSection,
  renderSiteSpace,
  renderStructure,
  siteSpaceAddress,
  type StructureView,
} from './structure.render.js';
export { viewerOf } from './viewer-of.js';
export { structureAfter } from './structure-after.js';
export { type ShareLinkState } from './links.js';
export { customizations } from './customization.projection.js';
export { changedChoice, defaultCustomization, withChosen, type Chosen } from './customization.js';
export { levelsOf, type SiteGrants } from './grants.js';
