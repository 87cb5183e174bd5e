import { gatewayOperations } from './gateway/index.js';
import { identityOperations } from './identity/index.js';
import type { Operation } from './operation.js';

/** The operation table of the product: all that the gateway routes and the OpenAPI document lists. */
export const operations = { ...gatewayOperations, ...identityOperations };

export type Operations = typeof operations;
export type OperationId = keyof Operations;

/** The table as a list. */
export const operationList: readonly Operation[] = Object.values(operations);
