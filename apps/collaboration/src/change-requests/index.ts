export { findRequest, requireRequest } from './change-requests.queries.js';
