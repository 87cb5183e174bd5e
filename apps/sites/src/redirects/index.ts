export { siteRedirects } from './redirect.projection.js';
export { redirects } from './redirects.js';
