export { publishingAuth, type PublishingAuthState } from './publishing-auth.js';
export { claimsFor, signedClaims } from './visitor-token.process.js';
