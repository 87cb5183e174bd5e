import { pickOperations } from '../kernel/operation.js';
import * as information from './information.js';

export * from './information.js';

/** Operations that the gateway answers itself, by id. */
export const gatewayOperations = pickOperations(information);
