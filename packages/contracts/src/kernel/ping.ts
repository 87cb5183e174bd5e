import * as z from 'zod';
import { internalOperation, type InternalOperation, type Service } from './operation.js';

/** An internal operation that every service answers as soon as it answers operations. */
const ping = { id: 'ping', input: z.object({}), response: z.object({}), deadlineMs: 500 } as const;

/** The internal operation of one service. */
export function pingOf(service: Service): InternalOperation<typeof ping.input, typeof ping.response> {
  return internalOperation({ ...ping, service });
}
