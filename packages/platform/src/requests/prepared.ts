import type { Operation, Principal, ResourceAccess } from '@scriptorium/contracts';
import type { Conditions as StoreConditions } from '@scriptorium/event-sourcing';
import type * as z from 'zod';
import type { AccessCheck } from '../access/resource-access.js';
import type { Request } from './call.js';
import type { Conditions } from './conditions.js';
import type { Call } from './handles.js';
import type { Endpoint } from './transport.js';

/** An endpoint that is ready to answer. */
export interface Prepared extends Endpoint {
  schema: z.ZodType;
  /** For operations that need a token. Anonymous ones, and exchanges between processes, have no caller to be refused. */
  check: AccessCheck | undefined;
}

/** A request that its caller may make. */
export interface Admitted {
  endpoint: Prepared;
  operation: Operation;
  input: unknown;
  request: Request & { principal: Principal };
  access: ResourceAccess;
  conditions: Conditions;
  /** Whether they may since they recover their organization. */
  recovery: boolean;
  /** What its handler works with, under these conditions. */
  call: (conditions: StoreConditions, operation?: string) => Call;
}
