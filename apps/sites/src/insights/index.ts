export { InsightCounter } from './counting.process.js';
