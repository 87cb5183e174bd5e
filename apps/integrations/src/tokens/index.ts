export { tokenOfInstallation, tokenOfIntegration } from './issue-tokens.process.js';
