export { findMembers, presentStays, requireHolders } from './directory.queries.js';
