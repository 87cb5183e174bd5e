export { isSelected, showTargets } from './targets.queries.js';
