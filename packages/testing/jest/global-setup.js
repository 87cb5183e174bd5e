// Jest takes what it runs before all specs from a default export.
export { startHost as default } from '../dist/host/jest.js';
