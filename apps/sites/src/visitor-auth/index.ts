export { publishingAuth, type PublishingAuthState } from './publishing-auth.js';
export { claimsFor, signedClaims, VisitorTokenRules } from './visitor-token.process.js';
export { findPublishingAuth } from './publishing-auth.queries.js';
