export { isSelected } from './targets.queries.js';
