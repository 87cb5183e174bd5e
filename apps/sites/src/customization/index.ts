export { customization } from './customization.js';
export { lookOfSite, looksOfSiteSpaces } from './look.queries.js';
export { shownLook } from './shown-look.js';
