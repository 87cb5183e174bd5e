// Jest takes what it runs after all specs from a default export.
export { stopHosts as default } from '../dist/host/jest.js';
