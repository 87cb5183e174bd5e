import type { Operation, Principal } from '@scriptorium/contracts';
import type { Conditions as StoreConditions } from '@scriptorium/event-sourcing';
import type * as z from 'zod';
import type { AccessCheck } from '../scope/resource-access.js';
import type { Conditions } from './call.js';
import type { Call } from '../handlers/handles.js';
import type { Endpoint } from '../handlers/transport.js';

/** An endpoint that is ready to answer. */
export interface PreparedEndpoint extends Endpoint {
  schema: z.ZodType;
  /** The access check of operations that need a token. Anonymous and internal operations have none. */
  check: AccessCheck | undefined;
}

/** A request that has passed the access check. */
export interface Admitted {
  endpoint: PreparedEndpoint;
  operation: Operation;
  input: unknown;
  principal: Principal;
  conditions: Conditions;
  /** Whether it is allowed only as a recovery without the enforced single sign-on. */
  recovery: boolean;
  /**
   * Creates what the handler works with, under these conditions; with an operation, what its handler needs to tell an
   * entity tag.
   */
  call: (conditions: StoreConditions, tagOf?: string) => Call;
}
