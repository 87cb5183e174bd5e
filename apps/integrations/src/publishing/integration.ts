import { requiredIn } from '@scriptorium/access';
import { AppError, type DevModeEnding } from '@scriptorium/contracts';
import { defineAggregate } from '@scriptorium/event-sourcing';
import {
  integrationEvents,
  type Demands,
  type IntegrationEvent,
  type Published,
  type Wanted,
} from './integration.events.js';

export type IntegrationState =
  | { status: 'absent' }
  | { status: 'published'; published: Published; signing: number; devMode: string | null }
  | { status: 'unpublished' }
  | { status: 'removed' };

function evolve(state: IntegrationState, event: IntegrationEvent): IntegrationState {
  const { signing, devMode } = state.status === 'published' ? state : { signing: 0, devMode: null };
  switch (event.type) {
    case 'IntegrationPublished':
      return { status: 'published', published: event.data, signing, devMode };
    case 'IntegrationUnpublished':
      return { status: 'unpublished' };
    case 'IntegrationRemoved':
      return { status: 'removed' };
    case 'IntegrationDemandsChanged':
      return state;
    case 'IntegrationSigningRotated':
      return state.status === 'published' ? { ...state, signing: event.data.generation } : state;
    case 'DevModeEnabled':
      return state.status === 'published' ? { ...state, devMode: event.data.until } : state;
    case 'DevModeEnded':
      return state.status === 'published' ? { ...state, devMode: null } : state;
  }
}

/** What is published under a name, one stream each. */
export const integration = defineAggregate<IntegrationState, typeof integrationEvents>({
  service: 'integrations',
  entity: 'integration',
  events: integrationEvents,
  initial: { status: 'absent' },
  evolve,
});

/** Publishes an integration, or a new version of it. What is published already is no new version. */
export function publish(state: IntegrationState, wanted: Wanted): IntegrationEvent[] {
  if (state.status === 'absent') return [published(wanted, 1, null)];
  if (state.status !== 'published') throw new AppError('conflict', [], { retryAfter: 1 });
  const { version, replacedSecrets: _, ...present } = state.published;
  if (isSame(present, wanted)) return [];
  const replaced = present.secrets === wanted.secrets ? null : present.secrets;
  const [before, demands] = [demandsIn(present), demandsIn(wanted)];
  return [
    published(wanted, version + 1, replaced),
    ...(isSame(before, demands) ? [] : [{ type: 'IntegrationDemandsChanged' as const, data: { demands, before } }]),
  ];
}

function demandsIn({ scopes, configurations }: Wanted): Demands {
  return { scopes: [...scopes].sort(), required: requiredIn(configurations.account).sort() };
}

function published(wanted: Wanted, version: number, replacedSecrets: string | null): IntegrationEvent {
  return { type: 'IntegrationPublished', data: { ...wanted, version, replacedSecrets } };
}

export function unpublish(state: IntegrationState): IntegrationEvent[] {
  return state.status === 'published' ? [{ type: 'IntegrationUnpublished', data: { name: state.published.name } }] : [];
}

/** What was unpublished is gone: nothing is stored of it any more. */
export function remove(state: IntegrationState): IntegrationEvent[] {
  return state.status === 'unpublished' ? [{ type: 'IntegrationRemoved', data: {} }] : [];
}

/** The integration signs with other keys, and tokens that it has are refused. @throws AppError `not_found` */
export function rotateSigning(state: IntegrationState): IntegrationEvent[] {
  if (state.status !== 'published') throw new AppError('not_found');
  return [{ type: 'IntegrationSigningRotated', data: { generation: state.signing + 1 } }];
}

/** What is sent to the script goes to its developer until then (ISO 8601). @throws AppError `not_found` */
export function enableDevMode(
  state: IntegrationState,
  { all, until }: { all: boolean; until: string },
): IntegrationEvent[] {
  if (state.status !== 'published') throw new AppError('not_found');
  return [{ type: 'DevModeEnabled', data: { name: state.published.name, all, until } }];
}

/** Until when the development mode lasts, ISO 8601; `null` for none. */
export function devModeIn(state: IntegrationState): string | null {
  return state.status === 'published' ? state.devMode : null;
}

/** `of`: only the development mode that was to last until then. */
export function endDevMode(
  state: IntegrationState,
  { reason, of }: { reason: DevModeEnding; of?: string | undefined },
): IntegrationEvent[] {
  if (state.status !== 'published' || state.devMode === null) return [];
  if (of !== undefined && of !== state.devMode) return [];
  return [{ type: 'DevModeEnded', data: { name: state.published.name, reason } }];
}

/** Whether two values are the same as JSON, in whatever order the fields of objects stand. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** JSON with the fields of objects in one order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
