export { parseMarkdown, type ParsedMarkdown, type ParseOptions } from './parse/parse.js';
export { toMarkdown, type WriteOptions } from './write/write.js';
