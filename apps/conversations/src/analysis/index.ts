export { dropCentroids } from './centroids.operational.js';
export { dropWeightTable } from './weights.operational.js';
