import type { Principal, Visitor } from '@scriptorium/contracts';
import type { Seen } from '../facts/index.js';

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
