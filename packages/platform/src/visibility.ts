import { decideAccess, parsePrincipal, reachesBeyond, refuseToken, visibilityBatch, visibilityIn, type Operation, type Principal, type Service } from '@scriptorium/contracts';
import type { Messaging } from '@scriptorium/messaging';
import type * as z from 'zod';
import type { Admission } from './admission.js';
import type { Endpoint } from './transport.js';

/** Answers what others ask of a service, whichever it is and whatever its operations are: see `visibilityIn`. */
export function visibilityEndpoint(admissionOf: (operation: string) => Admission | undefined): Endpoint {
  const operation = visibilityIn('identity');
  return {
    operation,
    invoke: async (input) => {
      const { principal, asked } = input as z.output<typeof operation.input>;
      const caller = parsePrincipal(principal);
      const visible = await Promise.all(asked.map(async ({ operation: id, params }) => caller !== null && isVisible(admissionOf(id), caller, params)));
      return { visible };
    },
  };
}

/** What is deleted is judged by what the caller is to what contained it. */
async function isVisible(admission: Admission | undefined, caller: Principal, params: Record<string, string>): Promise<boolean> {
  if (admission === undefined || refuseToken(admission.operation.access, caller) !== null) return false;
  const { access } = admission.operation;
  if (reachesBeyond(access, caller)) return false;
  return decideAccess(access, { ...(await admission.standing(caller, params)), exists: true }) === 'allow';
}

/** Something that an operation shows. */
export interface Shown {
  by: Pick<Operation, 'id' | 'service'>;
  params: Record<string, string>;
}

/** Which of these things a caller may see, asked of the services that own them, of each once. @throws `unavailable` when one does not answer */
export async function visibleTo(messaging: Pick<Messaging, 'client'>, principal: Principal, things: readonly Shown[]): Promise<boolean[]> {
  const keyOf = ({ by, params }: Shown): string => JSON.stringify([by.service, by.id, params]);
  const distinct = new Map(things.map((thing) => [keyOf(thing), thing]));
  const services = new Set(things.map(({ by }) => by.service));
  const seen = await Promise.all([...services].map((service) => ask(messaging, service, principal, [...distinct].filter(([, { by }]) => by.service === service))));
  const visible = new Map(seen.flat());
  return things.map((thing) => visible.get(keyOf(thing)) === true);
}

async function ask(messaging: Pick<Messaging, 'client'>, service: Service, principal: Principal, things: readonly (readonly [string, Shown])[]): Promise<[string, boolean][]> {
  const op = visibilityIn(service);
  const answers: [string, boolean][] = [];
  for (let start = 0; start < things.length; start += visibilityBatch) {
    const some = things.slice(start, start + visibilityBatch);
    const input = { principal: JSON.stringify(principal), asked: some.map(([, { by, params }]) => ({ operation: by.id, params })) };
    const { body } = await messaging.client().request({ service, operation: op.id, body: Buffer.from(JSON.stringify(input)), headers: {}, timeoutMs: op.deadlineMs });
    const { visible } = op.response.parse(JSON.parse(Buffer.from(body).toString('utf8')));
    answers.push(...some.map(([key], i) => [key, visible[i] === true] as [string, boolean]));
  }
  return answers;
}
