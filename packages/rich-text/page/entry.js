// What the page in docs/rich-text/ needs of this package. Without `hash`, which takes Node's crypto.
export { RichTextError } from '../dist/model/errors.js';
export { validate } from '../dist/model/validate.js';
export { parseMarkdown } from '../dist/parse/parse.js';
export { outline } from '../dist/text/outline.js';
export { toPlainText } from '../dist/text/plain-text.js';
export { toMarkdown } from '../dist/write/write.js';
