export { add, close, directory, erased, has, remove } from './directory.js';
