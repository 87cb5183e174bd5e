export { spaceAdded, type NewSiteSpace } from './site-spaces.js';
