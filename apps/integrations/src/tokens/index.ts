export { tokenOfIntegration } from './issue-tokens.process.js';
