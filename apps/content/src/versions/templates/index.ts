export { readTemplate } from './templates.queries.js';
