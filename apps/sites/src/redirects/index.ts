export { renderRedirect } from './render-redirect.js';
export { sourceOf } from './redirect-source.js';
export { siteRedirects, type RedirectDocument } from './redirect.projection.js';
export { redirects } from './redirects.js';
