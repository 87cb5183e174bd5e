import {
  decideAccess,
  reachesBeyond,
  refuseToken,
  visibilityBatch,
  visibilityIn,
  wireHeader,
  type Operation,
  type Principal,
  type Service,
} from '@scriptorium/contracts';
import type * as z from 'zod';
import type { AccessCheck } from '../scope/resource-access.js';
import type { Scope } from '../scope/scope.js';
import { signPrincipal } from '../tokens/signed-principal.js';
import type { Endpoint } from '../handlers/transport.js';

/** Answers every service's `decideVisibility`: see `visibilityIn`. */
export function visibilityEndpoint(checkOf: (operation: string) => AccessCheck | undefined): Endpoint {
  const operation = visibilityIn('identity');
  return {
    operation,
    invoke: async (input, call) => {
      const { asked } = input as z.output<typeof operation.input>;
      const { principal } = call;
      const visible = await Promise.all(
        asked.map(
          async ({ operation: id, params }) =>
            principal !== null && (await mayView(call, checkOf(id), principal, params)),
        ),
      );
      return { visible };
    },
  };
}

/**
 * Whether a caller may view the resource that the parameters name. Access to a deleted resource is the access to its
 * parent.
 */
export async function mayView(
  scope: Scope,
  check: AccessCheck | undefined,
  caller: Principal,
  params: Record<string, string>,
): Promise<boolean> {
  if (check === undefined || refuseToken(check.operation.access, caller) !== null) return false;
  const { access } = check.operation;
  if (reachesBeyond(access, caller)) return false;
  return decideAccess(access, { ...(await check.resolve(scope, caller, params)), exists: true }) === 'allow';
}

/** A resource that an operation shows. */
export interface Shown {
  by: Pick<Operation, 'id' | 'service'>;
  params: Record<string, string>;
}

/** What `visibleTo` needs of a scope. */
type Asking = Pick<Scope, 'messaging' | 'keys' | 'now'>;

/**
 * Whether a caller may see each of these resources. The owning services decide.
 * @throws AppError `unavailable` when a service does not answer
 */
export async function visibleTo(asking: Asking, principal: Principal, things: readonly Shown[]): Promise<boolean[]> {
  const keyOf = ({ by, params }: Shown): string => JSON.stringify([by.service, by.id, params]);
  const distinct = new Map(things.map((thing) => [keyOf(thing), thing]));
  const services = new Set(things.map(({ by }) => by.service));
  const seen = await Promise.all(
    [...services].map((service) =>
      ask(
        asking,
        service,
        principal,
        [...distinct].filter(([, { by }]) => by.service === service),
      ),
    ),
  );
  const visible = new Map(seen.flat());
  return things.map((thing) => visible.get(keyOf(thing)) === true);
}

async function ask(
  { messaging, keys, now }: Asking,
  service: Service,
  principal: Principal,
  things: readonly (readonly [string, Shown])[],
): Promise<[string, boolean][]> {
  const op = visibilityIn(service);
  const answers: [string, boolean][] = [];
  for (let start = 0; start < things.length; start += visibilityBatch) {
    const some = things.slice(start, start + visibilityBatch);
    const input = { asked: some.map(([, { by, params }]) => ({ operation: by.id, params })) };
    const { body } = await messaging.client().request({
      service,
      operation: op.id,
      body: Buffer.from(JSON.stringify(input)),
      headers: { [wireHeader.principal]: signPrincipal(keys, principal, now()) },
      timeoutMs: op.deadlineMs,
    });
    const { visible } = op.response.parse(JSON.parse(Buffer.from(body).toString('utf8')));
    answers.push(...some.map(([key], i) => [key, visible[i] === true] as [string, boolean]));
  }
  return answers;
}
