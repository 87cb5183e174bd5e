import { AppError, wireHeader, type InternalOperation, type Principal } from '@scriptorium/contracts';
import { connectMessaging } from '@scriptorium/messaging';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { signPrincipal } from '@scriptorium/platform/signed-principal';
import type * as z from 'zod';
import type { Person } from './people.js';
import type { Rig } from './rig.js';

/** What an internal operation answered: its result, or the reason of its refusal with the field that it names. */
export type Asked<R> = R | { refused: string; path: string | undefined };

/** Asks internal operations as another service does. */
export interface Asker {
  <I extends z.ZodType, R extends z.ZodType>(
    operation: InternalOperation<I, R>,
    input: z.input<I>,
    options?: { caller?: Person | Principal; key?: string; dry?: boolean },
  ): Promise<Asked<z.output<R>>>;
  close(): Promise<void>;
}

/** Connects to the services of a rig. */
export async function connectAsker(rig: Rig): Promise<Asker> {
  const { NATS_URL: url, NAMESPACE: namespace, SECRET_KEYS: keys } = rig.config;
  const messaging = await connectMessaging({ url, name: 'spec', namespace });
  const principalOf = (caller: Person | Principal): Principal =>
    'kind' in caller ? caller : { kind: 'user', id: caller.id, token: { id: 't', kind: 'personal' }, operator: false };
  const asker: Asker = async (operation, input, { caller = rig.owner, key, dry = false } = {}) => {
    const headers = {
      [wireHeader.principal]: signPrincipal(parseKeyring(keys), principalOf(caller), Date.now()),
      ...(key === undefined ? {} : { [wireHeader.idempotencyKey]: key }),
      ...(dry ? { [wireHeader.dryRun]: 'true' } : {}),
    };
    try {
      const { body } = await messaging.client().request({
        service: operation.service,
        operation: operation.id,
        body: Buffer.from(JSON.stringify(input)),
        headers,
        timeoutMs: operation.deadlineMs,
      });
      return operation.response.parse(JSON.parse(new TextDecoder().decode(body)));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { refused: error.reason, path: error.details[0]?.path };
    }
  };
  asker.close = () => messaging.close();
  return asker;
}
