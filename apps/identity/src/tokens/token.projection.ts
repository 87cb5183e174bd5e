import type { Scope } from '@scriptorium/contracts';
import { projection, type Recorded } from '@scriptorium/event-sourcing';
import { credentialsEvents, type CredentialsEvent } from './credentials.events.js';

export interface TokenDocument {
  user: string;
  label: string;
  hash: string;
  createdAt: string;
  expiresAt?: string | undefined;
  scopes?: Scope[] | undefined;
}

const tokenEvents = credentialsEvents.pick('TokenCreated', 'TokenRevoked');
type TokenEvent = Extract<CredentialsEvent, { type: 'TokenCreated' | 'TokenRevoked' }>;

function evolve(doc: TokenDocument | null, event: Recorded<TokenEvent>): TokenDocument | null {
  switch (event.type) {
    case 'TokenCreated': {
      const { token: _, ...rest } = event.data;
      return { user: event.entityId, ...rest, createdAt: event.meta.time };
    }
    case 'TokenRevoked':
      return null;
    default:
      return doc;
  }
}

export const tokens = projection({
  name: 'token',
  version: 1,
  entities: ['identity.credentials'],
  events: [tokenEvents],
  indexes: [{ key: { user: 1, createdAt: 1, _id: 1 } }],
  id: (event) => event.data.token,
  evolve,
});
