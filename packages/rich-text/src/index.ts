export { parseMarkdown } from './parse/parse.js';
