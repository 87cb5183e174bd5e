import { gatewayOperations } from './gateway/index.js';
import { identityOperations } from './identity/index.js';
import type { Operation } from './operation.js';
import { identityOperator } from './operator.js';

/** The operations of the API by id. */
export const operations = { ...gatewayOperations, ...identityOperations };

export type Operations = typeof operations;
export type OperationId = keyof Operations;

/** All that is routed, operators' operations included. */
export const operationList: readonly Operation[] = [...Object.values(operations), ...Object.values(identityOperator)];
