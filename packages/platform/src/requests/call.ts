import { createHash } from 'node:crypto';
import { wireHeader, type Principal, type TokenKind } from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import { derivedId, newId } from '../process/ids.js';
import type { Scope } from '../scope/scope.js';
import type { WireRequest } from './exchange.js';
import type { InternalCall } from './handles.js';

/** Of a request, what does not come from the service. */
export type Request = Pick<
  InternalCall,
  'operation' | 'requestId' | 'deadline' | 'idempotencyKey' | 'traceparent' | 'client'
> & { principal: Principal | null };

/** Reads the headers of a request, but for the conditions. `isKeyed`: whether an idempotency key means anything to it. */
export function requestOf({ operation, headers, deadline }: WireRequest, principal: Principal | null): Request {
  return {
    operation,
    requestId: headers[wireHeader.requestId] ?? '',
    deadline,
    idempotencyKey: headers[wireHeader.idempotencyKey],
    traceparent: headers[wireHeader.traceparent],
    client: {
      address: headers[wireHeader.clientAddress],
      agent: headers[wireHeader.clientAgent],
      session: headers[wireHeader.session],
      browser: headers[wireHeader.browser],
    },
    principal,
  };
}

/** By what somebody acts who does not use a token of their own. */
const sources: Partial<Record<TokenKind, string>> = {
  session: 'ui',
  integration: 'integration',
  installation: 'integration',
};

/** What is recorded beside the events of a request. `organization`: the one that its path names, if it names one. */
export function commandOf(request: Request, organization: string | null): CommandContext {
  const { principal, operation, requestId, deadline, traceparent } = request;
  const idem = idempotency(request);
  const source = principal === null ? undefined : sources[principal.token.kind];
  return {
    // Visitors stay unknown: nothing that is recorded names them.
    actor: principal?.kind === 'user' ? { kind: 'user', id: principal.id } : { kind: 'system', id: operation },
    organization,
    operation,
    correlation: requestId,
    deadline,
    ...(idem === undefined ? {} : { idem }),
    ...(traceparent === undefined ? {} : { trace: traceparent }),
    ...(source === undefined ? {} : { source }),
  };
}

/** The client's key bound to caller and operation, hashed: keys of different callers never meet. */
function idempotency({ idempotencyKey, principal, operation }: Request): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([principal?.id, operation, idempotencyKey]))
    .digest('base64url');
}

/** What a handler without a caller works with. `scope`: made with the command of the request. */
export function internalCall(scope: Scope, request: Request): InternalCall {
  const { principal: caller, ...call } = request;
  const idFor = (what: string): string => {
    const { idem } = scope.store.context;
    return idem === undefined ? newId() : derivedId(idem, what);
  };
  return { ...scope, ...call, caller, idFor };
}
