export { publishingAuth, type PublishingAuthState } from './publishing-auth.js';
export { claimsFor, signedClaims } from './visitor-token.process.js';
export { findPublishingAuth } from './publishing-auth.queries.js';
