import type * as z from 'zod';

/**
 * A message that goes to all gateways; `undefined` for one that does not fit the schema, such as that of another
 * version.
 */
export function readAnnouncement<T>(schema: z.ZodType<T>, body: Uint8Array): T | undefined {
  try {
    return schema.parse(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    return undefined;
  }
}
