import { limitPresets } from '@scriptorium/contracts';
import type { CommandContext, Store, StoreScope } from '@scriptorium/event-sourcing';
import { parseKeyring, type Scope } from '@scriptorium/platform';

/** The context of a command in a spec. */
export function specCommand(actor: string, organization: string | null = null): CommandContext {
  return { actor: { kind: 'user', id: actor }, organization, operation: 'spec', correlation: 'spec' };
}

/** A scope over a store of a spec. `more`: replacements for further properties. */
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
