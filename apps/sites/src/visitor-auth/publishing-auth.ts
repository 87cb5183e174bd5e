import { defineAggregate, type Metadata } from '@scriptorium/event-sourcing';
import { publishingEvents, type PublishingEvent } from './publishing.events.js';

/** How long the key before the present one is good for, ms. */
const overlapMs = 24 * 3_600_000;

/** How visitors of a site prove who they are. A site about which nothing was recorded has all of it, too. */
export interface PublishingAuthState {
  backend: 'custom' | 'integration';
  /** The installation that signs visitors in, with the name of its integration; `null` where none does. */
  integration: { name: string; installation: string } | null;
  /** Whether the last one has ended, and nobody has said who does instead: no key counts until then. */
  hasEnded?: boolean;
  /** How often somebody else has come to sign visitors in. */
  backends: number;
  fallbackURL: string | null;
  logoutURL: string | null;
  /** Counts the keys; 0 for the one that a site begins with. */
  version: number;
  /** The key before it, until when it is good; `null` when it is not. */
  previous: { version: number; until: string } | null;
}

export const initialAuth: PublishingAuthState = {
  backend: 'custom',
  integration: null,
  backends: 0,
  fallbackURL: null,
  logoutURL: null,
  version: 0,
  previous: null,
};

/** The state after an event, in the aggregate and in the read model. */
export function authAfter<S extends PublishingAuthState>(state: S, event: PublishingEvent, time: string): S {
  switch (event.type) {
    case 'SiteAuthBackendChanged': {
      const { backend, integration: name, installation, hasEnded = false } = event.data;
      const integration = name === undefined || installation === undefined ? null : { name, installation };
      return { ...state, backend, integration, hasEnded, backends: state.backends + 1 };
    }
    case 'SiteAuthFallbackChanged':
    case 'SiteAuthLogoutChanged':
      return { ...state, ...event.data };
    case 'SiteAuthKeyRotated': {
      const until = new Date(Date.parse(time) + overlapMs).toISOString();
      const previous = event.data.keepsPrevious ? { version: state.version, until } : null;
      return { ...state, version: event.data.version, previous, hasEnded: false };
    }
    default:
      return state;
  }
}

/** Counts what ends the content tokens of visitors: another key, and somebody else who signs them in. */
export function authGeneration({ version, backends }: Pick<PublishingAuthState, 'version' | 'backends'>): number {
  return version + backends;
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
  /** Whether the change says who signs visitors in. */
  given?: boolean | undefined;
  /** The installation that is to sign visitors in. */
  integration?: PublishingAuthState['integration'] | undefined;
  fallbackURL?: string | null | undefined;
  logoutURL?: string | null | undefined;
}

/** One event for each setting that differs. */
export function configureAuth(
  state: PublishingAuthState,
  { backend = state.backend, fallbackURL = state.fallbackURL, logoutURL = state.logoutURL, ...change }: AuthChange,
): PublishingEvent[] {
  const events: PublishingEvent[] = [];
  const integration = backend === 'custom' ? null : (change.integration ?? state.integration);
  const isSame = integration?.installation === state.integration?.installation;
  const isAnswered = state.hasEnded === true && change.given === true;
  if (backend !== state.backend || !isSame || isAnswered) {
    const by = integration && { integration: integration.name, installation: integration.installation };
    events.push({ type: 'SiteAuthBackendChanged', data: { backend, ...by } });
  }
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

/** The installation that signs visitors in has ended: nobody signs them in until an admin says who does. */
export function endLogin({ integration }: PublishingAuthState, installation: string): PublishingEvent[] {
  if (integration?.installation !== installation) return [];
  return [{ type: 'SiteAuthBackendChanged', data: { backend: 'custom', hasEnded: true } }];
}
