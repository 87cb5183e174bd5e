export { keyOfLink, linkWithKey } from './share-key.js';
