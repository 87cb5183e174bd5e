export { redirects } from './redirects.js';
