export { loginAddress } from './integration-login.process.js';
export { authGeneration, publishingAuth, type PublishingAuthState } from './publishing-auth.js';
export { claimsFor, signedClaims, VisitorTokenRules } from './visitor-token.process.js';
export { findPublishingAuth } from './publishing-auth.queries.js';
