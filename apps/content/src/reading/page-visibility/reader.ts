import type { Principal, Visitor } from '@scriptorium/contracts';
import type { Seen } from '../analysis/index.js';

/** A visitor, as far as it decides what they see. */
export type Reader = Pick<Visitor, 'type' | 'claims' | 'spaces' | 'preview'>;

/** The caller as a visitor; `undefined` for users, who see everything. */
export function readerOf(principal: Principal): Reader | undefined {
  return principal.kind === 'visitor' ? principal.visitor : undefined;
}

/** What a reader sees with these variables of a space and of a page. */
export function seenBy({ type, claims }: Reader, space: Variables, page: Variables = {}): Seen {
  return { type, claims, variables: { space, page } };
}

export type Variables = Readonly<Record<string, string>>;

/** Whether a reader is a person of whom nothing is known: what they see, everybody may. */
export function isPlain({ type, claims }: Reader): boolean {
  const { unsigned = {}, ...signed } = claims;
  return type === 'human' && Object.keys({ ...signed, ...(unsigned as object) }).length === 0;
}

/** That reader. */
export function plainReader(space: string): Reader {
  return { type: 'human', claims: {}, spaces: [space] };
}
