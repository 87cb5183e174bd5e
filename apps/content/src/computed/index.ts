export { expandRoot } from './expand-root.process.js';
