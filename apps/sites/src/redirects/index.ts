export { renderRedirect } from './render-redirect.queries.js';
export { sourceOf } from './redirect-source.js';
export { siteRedirects, type RedirectDocument } from './redirect.projection.js';
export { redirects } from './redirects.js';
