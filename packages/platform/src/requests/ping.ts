import { pingOf } from '@scriptorium/contracts';
import type { Endpoint } from './transport.js';

/** Answers the ping with which gateways check whether this service is available: see `pingOf`. */
export const pingEndpoint: Endpoint = { operation: pingOf('identity'), invoke: () => Promise.resolve({}) };
