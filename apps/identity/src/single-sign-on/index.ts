export { sweepSAML } from './saml/requests.operational.js';
