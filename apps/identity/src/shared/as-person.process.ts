import { withStore, type Scope } from '@scriptorium/platform';

/** What somebody who is not signed in yet does in their own name. The client's idempotency key means nothing to it. */
export function asPerson<S extends Scope>(scope: S, person: string): S {
  return withStore(scope, scope.store.as({ kind: 'user', id: person }).keyed(undefined));
}
