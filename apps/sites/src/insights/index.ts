export { count } from './insights.operational.js';
