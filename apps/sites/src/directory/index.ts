export { add, directory, has, remove } from './directory.js';
