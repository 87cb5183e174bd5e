export { layOut } from './layout.js';
