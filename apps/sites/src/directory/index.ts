export { add, close, directory, has, remove } from './directory.js';
