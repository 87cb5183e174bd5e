export { Addresses } from './addresses.process.js';
