export { locateFirst } from './locate-first.process.js';
export { renderRedirect } from './render-redirect.queries.js';
export { sourceOf } from './redirect-source.js';
export { siteRedirects } from './redirect.projection.js';
export { redirects } from './redirects.js';
