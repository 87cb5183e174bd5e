import type { Scope } from '@scriptorium/contracts';
import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { credentialsEvents } from '../../events/index.js';

export interface TokenDocument {
  user: string;
  label: string;
  hash: string;
  createdAt: string;
  expiresAt?: string | undefined;
  scopes?: Scope[] | undefined;
}

const tokenEvents = credentialsEvents.pick('TokenCreated', 'TokenRevoked', 'CredentialsEnded');

function writes(event: Recorded<EventOf<typeof tokenEvents>>): Write<TokenDocument>[] {
  switch (event.type) {
    case 'TokenCreated': {
      const { token, ...rest } = event.data;
      return [{ put: token, doc: { user: event.entityId, ...rest, createdAt: event.meta.time } }];
    }
    case 'TokenRevoked':
      return [{ remove: event.data.token }];
    case 'CredentialsEnded':
      return [{ removeWhere: { user: event.entityId } }];
  }
}

export const tokens = projection({
  name: 'token',
  version: 3,
  entities: ['identity.credentials'],
  events: [tokenEvents],
  indexes: [{ key: { user: 1, createdAt: 1, _id: 1 } }],
  writes,
});
