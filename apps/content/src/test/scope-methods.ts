import type { StoreScope } from '@scriptorium/event-sourcing';
import type { Rig } from './own-rig.js';

/** The methods that all scopes share, for specs that break work off in between. */
export function scopeMethods(rig: Rig): StoreScope {
  const actor = { kind: 'system', id: 'spec' } as const;
  const scope = rig.store.scope({ actor, organization: null, operation: 'spec', correlation: 'spec' });
  return Object.getPrototypeOf(scope) as StoreScope;
}
