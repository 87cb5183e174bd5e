export { eraseContent } from './erase-content.process.js';
