import { limitPresets } from '@scriptorium/contracts';
import type { CommandContext, Store, StoreScope } from '@scriptorium/event-sourcing';
import { parseKeyring, type Scope } from '@scriptorium/platform';

/** What somebody does in a spec. */
export function specCommand(actor: string, organization: string | null = null): CommandContext {
  return { actor: { kind: 'user', id: actor }, organization, operation: 'spec', correlation: 'spec' };
}

/** What a process of the service works with, over a store of a spec. `more`: what stands in for the rest. */
export function specScope(
  store: StoreScope,
  { database }: Pick<Store, 'database'>,
  secretKeys: string,
  more: Partial<Scope> = {},
): Scope {
  const parts: Partial<Scope> = {
    store,
    database,
    keys: parseKeyring(secretKeys),
    now: Date.now,
    limits: limitPresets,
    ...more,
  };
  return parts as Scope;
}
