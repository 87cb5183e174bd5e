import {
  formatTypes,
  parseTypes,
  wireHeader,
  type InternalOperation,
  type Principal,
  type TypePositions,
} from '@scriptorium/contracts';
import type * as z from 'zod';
import type { Scope } from './scope.js';
import { signPrincipal } from '../tokens/signed-principal.js';

/** Work that asks for something: a request with its caller, or a reaction, a timer or a run without one. */
export interface Asking extends Pick<Scope, 'store' | 'messaging' | 'keys' | 'now'> {
  readonly principal?: Principal | null;
}

const nothingRecorded: TypePositions = new Map();

/**
 * Asks another service on behalf of this work. Caller, idempotency key, dry run, deadline and trace go along, and the
 * other service answers when it sees what this work has recorded so far. What it records counts as recorded by this
 * work: the projections of this service are waited for, and the reply to the client tells it. `step` tells apart
 * several exchanges of one operation.
 *
 * @throws AppError that of the other service; `unavailable` when it does not answer in time
 */
export async function ask<I extends z.ZodType, R extends z.ZodType>(
  asking: Asking,
  operation: InternalOperation<I, R>,
  input: z.input<I>,
  step = operation.id,
): Promise<z.output<R>> {
  const { store, messaging, now } = asking;
  await store.beforeElsewhere();
  const reply = await messaging.client().request({
    service: operation.service,
    operation: operation.id,
    body: new TextEncoder().encode(JSON.stringify(input)),
    headers: headersOf(asking, step),
    timeoutMs: Math.min(operation.deadlineMs, (store.context.deadline ?? Infinity) - now()),
  });
  await store.recordedElsewhere(parseTypes(reply.headers[wireHeader.types]));
  return operation.response.parse(JSON.parse(new TextDecoder().decode(reply.body)));
}

function headersOf({ store, keys, now, principal = null }: Asking, step: string): Record<string, string> {
  const { correlation, idem, trace } = store.context;
  const { positions } = store.recorded() ?? { positions: nothingRecorded };
  return {
    [wireHeader.requestId]: correlation,
    ...(principal === null ? {} : { [wireHeader.principal]: signPrincipal(keys, principal, now()) }),
    ...(idem === undefined ? {} : { [wireHeader.idempotencyKey]: `${idem}:${step}` }),
    ...(store.dry ? { [wireHeader.dryRun]: 'true' } : {}),
    ...(trace === undefined ? {} : { [wireHeader.traceparent]: trace }),
    ...(positions.size === 0 ? {} : { [wireHeader.afterTypes]: formatTypes(positions) }),
  };
}
