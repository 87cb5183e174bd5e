export { SiteScripts } from './site-scripts.queries.js';
