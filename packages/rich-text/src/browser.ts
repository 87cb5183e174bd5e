// What the page in docs/rich-text/ needs, bundled for browsers: all but `hash`, which takes Node's crypto.
export { RichTextError } from './model/errors.js';
export { validate } from './model/validate.js';
export { parseMarkdown } from './parse/parse.js';
export { outline } from './text/outline.js';
export { toPlainText } from './text/plain-text.js';
export { toMarkdown } from './write/write.js';
