export { customization } from './customization.js';
export { lookOfSite, looksOfSiteSpaces } from './look.queries.js';
