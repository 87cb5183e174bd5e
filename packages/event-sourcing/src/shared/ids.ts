import { createHash, randomUUID } from 'node:crypto';

/** Source of new identifiers; a parameter so that tests can fix them. */
export interface Ids {
  uuid(): string;
}

export const systemIds: Ids = { uuid: randomUUID };

/** A UUID (version 8, RFC 9562) that is the same for the same parts: what a retry may do twice carries the same id. */
export function derivedUuid(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  const hex = hash.digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
