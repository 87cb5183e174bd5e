export { readTemplate, type TemplateContent } from './templates.queries.js';
