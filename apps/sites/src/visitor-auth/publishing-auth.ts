import { defineAggregate, type Metadata } from '@scriptorium/event-sourcing';
import { publishingEvents, type PublishingEvent } from './publishing.events.js';

/** How long the key before the present one is good for, ms. */
const overlapMs = 24 * 3_600_000;

/** How visitors of a site prove who they are. A site about which nothing was recorded has all of it, too. */
export interface PublishingAuthState {
  backend: 'custom' | 'integration';
  fallbackURL: string | null;
  logoutURL: string | null;
  /** Counts the keys; 0 for the one that a site begins with. */
  version: number;
  /** The key before it, until when it is good; `null` when it is not. */
  previous: { version: number; until: string } | null;
}

export const initialAuth: PublishingAuthState = {
  backend: 'custom',
  fallbackURL: null,
  logoutURL: null,
  version: 0,
  previous: null,
};

/** The state after an event, in the aggregate and in the read model. */
export function authAfter<S extends PublishingAuthState>(state: S, event: PublishingEvent, time: string): S {
  switch (event.type) {
    case 'SiteAuthBackendChanged':
    case 'SiteAuthFallbackChanged':
    case 'SiteAuthLogoutChanged':
      return { ...state, ...event.data };
    case 'SiteAuthKeyRotated': {
      const until = new Date(Date.parse(time) + overlapMs).toISOString();
      const previous = event.data.keepsPrevious ? { version: state.version, until } : null;
      return { ...state, version: event.data.version, previous };
    }
    default:
      return state;
  }
}

export const publishingAuth = defineAggregate({
  service: 'sites',
  entity: 'publishing',
  events: publishingEvents,
  initial: initialAuth,
  evolve: (state: PublishingAuthState, event: PublishingEvent, { time }: Metadata) => authAfter(state, event, time),
});

/** What a change names; what it leaves out stays as it is. */
export interface AuthChange {
  backend?: PublishingAuthState['backend'] | undefined;
  fallbackURL?: string | null | undefined;
  logoutURL?: string | null | undefined;
}

/** One event for each setting that differs. */
export function configureAuth(
  state: PublishingAuthState,
  { backend = state.backend, fallbackURL = state.fallbackURL, logoutURL = state.logoutURL }: AuthChange,
): PublishingEvent[] {
  const events: PublishingEvent[] = [];
  if (backend !== state.backend) events.push({ type: 'SiteAuthBackendChanged', data: { backend } });
  if (fallbackURL !== state.fallbackURL) events.push({ type: 'SiteAuthFallbackChanged', data: { fallbackURL } });
  if (logoutURL !== state.logoutURL) events.push({ type: 'SiteAuthLogoutChanged', data: { logoutURL } });
  return events;
}

/**
 * Replaces the key. `made`: the new key, which is stored by now, as the version that follows `from`; when another
 * request was faster, nothing happens.
 */
export function rotateKey(
  { version }: PublishingAuthState,
  { secret, from, keepsPrevious }: { secret: string; from: number; keepsPrevious: boolean },
): PublishingEvent[] {
  if (version !== from) return [];
  return [{ type: 'SiteAuthKeyRotated', data: { secret, version: from + 1, keepsPrevious } }];
}
