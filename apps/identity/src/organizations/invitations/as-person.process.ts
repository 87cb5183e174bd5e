import { withStore, type Scope } from '@scriptorium/platform';

/**
 * A scope for commands in the name of a person who is not signed in yet. It has no idempotency key, since the client's
 * key belongs to another caller.
 */
export function asPerson<S extends Scope>(scope: S, person: string): S {
  return withStore(scope, scope.store.as({ kind: 'user', id: person }).keyed(undefined));
}
