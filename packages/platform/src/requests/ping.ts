import { pingOf } from '@scriptorium/contracts';
import type { Endpoint } from './transport.js';

/** Answers the ping of gateways, which want to know whether this service answers: see `pingOf`. */
export const pingEndpoint: Endpoint = { operation: pingOf('identity'), invoke: () => Promise.resolve({}) };
