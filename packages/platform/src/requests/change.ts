import { AppError, formatTypes, wireHeader } from '@scriptorium/contracts';
import type { Store, StoreScope, StreamState } from '@scriptorium/event-sourcing';
import { encode } from '../handlers/answers.js';
import type { WireReply } from '../handlers/exchange.js';
import type { Call } from '../handlers/handles.js';
import type { Admitted, PreparedEndpoint } from './prepared.js';

/** The parts of the service that a change needs. */
export interface ChangePorts {
  store: Pick<Store, 'waitUntilVisible' | 'waitForTypes' | 'waitForPosition' | 'past' | 'scope'>;
  /** The endpoint that shows the single object at a path. */
  shownAt: (path: string) => PreparedEndpoint | undefined;
  /** Records that an admin has changed something without the enforced single sign-on. */
  recovered?: ((call: Call, params: Readonly<Record<string, string>>) => Promise<void>) | undefined;
  /** Called after each successful change. */
  changed?: ((call: Call, params: Readonly<Record<string, string>>) => Promise<void>) | undefined;
}

/**
 * Carries out a change. `taken`: rejects when another request has claimed the idempotency key, so that this one must
 * have no effect.
 */
export async function change(
  service: ChangePorts,
  admitted: Admitted,
  taken?: () => Promise<void>,
): Promise<WireReply> {
  const { endpoint, operation, input, conditions, recovery } = admitted;
  const { ifMatch, dry } = conditions;
  const matches =
    ifMatch === undefined ? undefined : matching(service.store, ifMatch, () => currentTag(service, admitted));
  const precondition = preconditionOf(async (stream) => void (await Promise.all([taken?.(), matches?.(stream)])));
  // An operation with other effects than events has to check the precondition itself. For all others the store checks
  // it before a command counts as carried out.
  if (!operation.dryRun) await precondition.askUnlessAsked();
  const call = admitted.call({ dry, precondition: precondition.ask, ignoresStream: matches === undefined });
  let result: unknown;
  try {
    result = await endpoint.invoke(input, call);
  } finally {
    // When the precondition does not hold, other errors are not reported.
    await precondition.askUnlessAsked();
  }
  // A refused change is not recorded as a recovery.
  const { params } = input as { params: Record<string, string> };
  if (recovery) await service.recovered?.(call, params);
  await service.changed?.(call, params);
  return withRecorded(encode(operation, result), call.store);
}

/** Adds the positions and types of the recorded events to a reply. */
export function withRecorded(reply: WireReply, store: Pick<StoreScope, 'recorded'>): WireReply {
  const { body, headers = {} } = reply;
  const recorded = store.recorded();
  if (recorded === undefined) return { body, headers };
  const { position, positions } = recorded;
  const more = { [wireHeader.position]: String(position), [wireHeader.types]: formatTypes(positions) };
  return { body, headers: { ...headers, ...more } };
}

/** A precondition that remembers whether it was checked, and the last result, also when the caller ignored it. */
function preconditionOf(holds: (stream: StreamState) => Promise<void>) {
  let asked: Promise<void> | undefined;
  const ask = (stream: StreamState): Promise<void> => (asked = holds(stream));
  return { ask, askUnlessAsked: () => asked ?? ask({ position: -1n, types: [] }) };
}

/**
 * The precondition of `If-Match`: when the stream of the resource is about to change, a GET of the same path by this
 * caller would have one of these entity tags.
 */
function matching(
  store: Pick<Store, 'waitUntilVisible'>,
  wanted: readonly string[],
  currentTag: () => Promise<string | undefined>,
): (stream: StreamState) => Promise<void> {
  return async (stream) => {
    // The precondition held when this change was first carried out.
    if (stream.repeated === true) return;
    if (stream.position >= 0n) await store.waitUntilVisible(stream);
    const tag = await currentTag();
    if (tag === undefined || !(wanted.includes('*') || wanted.includes(tag))) throw new AppError('precondition_failed');
  };
}

/** The entity tag of what the operation changes, as this caller gets it, or `undefined` when there is no resource. */
async function currentTag(ports: ChangePorts, { operation, input, call }: Admitted): Promise<string | undefined> {
  const get = ports.shownAt(operation.tagOf ?? operation.path);
  if (get === undefined) {
    const message = 'Nothing at this path has a strong entity tag';
    throw new AppError('invalid_request', [{ path: 'headers.if-match', message }], { message: `If-Match: ${message}` });
  }
  const { params } = input as { params: unknown };
  try {
    const result = await get.invoke(get.schema.parse({ params, query: {} }), call({}, get.operation.id));
    return encode(get.operation, result).headers?.[wireHeader.etag];
  } catch (error) {
    if (error instanceof AppError && error.reason === 'not_found') return undefined;
    throw error;
  }
}
