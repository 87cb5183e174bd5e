export { spaceAdded, type NewSiteSpace } from './changes/site-spaces.js';
