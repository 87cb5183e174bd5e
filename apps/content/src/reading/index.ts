export { showContent, viewContent } from './content/index.js';
