export { tokenOfInstallation, tokenOfIntegration } from './issue-tokens.js';
