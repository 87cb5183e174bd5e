import { randomUUID } from 'node:crypto';

/** Source of new identifiers; a parameter so that tests can fix them. */
export interface Ids {
  uuid(): string;
}

export const systemIds: Ids = { uuid: randomUUID };
