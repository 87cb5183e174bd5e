export { parseNetworks } from './addresses.js';
export { createOutbound, type Outbound, type OutboundOptions } from './outbound.js';
export { hostOf } from './target.js';
export { type OutboundRequest, type OutboundResponse } from './outbound-request.js';
