import { AppError, limitReached } from '@scriptorium/contracts';
import { defineAggregate, unchanged, type EventDataOf } from '@scriptorium/event-sourcing';
import { type CredentialsEvent, credentialsEvents } from '../../events/index.js';

interface HeldToken {
  id: string;
  expiresAt?: string | undefined;
}

export interface Credentials {
  /** The tokens that are not revoked. */
  tokens: readonly HeldToken[];
  /** Whether there ever was a token or a sign-in. */
  used: boolean;
  signedIn: boolean;
  /** The person was erased. */
  ended: boolean;
}

function evolve(state: Credentials, event: CredentialsEvent): Credentials {
  switch (event.type) {
    case 'TokenCreated':
      return {
        ...state,
        tokens: [...state.tokens, { id: event.data.token, expiresAt: event.data.expiresAt }],
        used: true,
      };
    case 'TokenRevoked':
      return { ...state, tokens: state.tokens.filter(({ id }) => id !== event.data.token) };
    case 'PersonSignedIn':
      return { ...state, used: true, signedIn: true };
    case 'PasswordChanged':
      return state;
    case 'CredentialsEnded':
      return { ...state, tokens: [], ended: true };
    default:
      return unchanged(state, event);
  }
}

export const credentials = defineAggregate({
  service: 'identity',
  entity: 'credentials',
  events: credentialsEvents,
  initial: { tokens: [], used: false, signedIn: false, ended: false },
  evolve,
});

export interface NewToken {
  token: EventDataOf<CredentialsEvent, 'TokenCreated'>;
  /** The most tokens that a user can have. */
  limit: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Creates a token. At the limit, expired tokens are dropped first, those that expired earliest before others. A scope
 * that is named twice is recorded once.
 */
export function createToken(state: Credentials, { token, limit, now }: NewToken): CredentialsEvent[] {
  if (state.ended) throw new AppError('not_found');
  const tooMany = Math.max(0, state.tokens.length + 1 - limit);
  const over = expired(state, now).slice(0, tooMany);
  if (over.length < tooMany) throw limitReached('tokensPerUser', limit);
  const { scopes, ...data } = token;
  return [
    ...over.map((id) => ({ type: 'TokenRevoked' as const, data: { token: id } })),
    { type: 'TokenCreated', data: scopes === undefined ? data : { ...data, scopes: [...new Set(scopes)] } },
  ];
}

function expired({ tokens }: Credentials, now: number): string[] {
  const ends = tokens.flatMap(({ id, expiresAt }) =>
    expiresAt === undefined ? [] : [{ id, end: Date.parse(expiresAt) }],
  );
  return ends
    .filter(({ end }) => end <= now)
    .sort((a, b) => a.end - b.end)
    .map(({ id }) => id);
}

/** Creates a token on behalf of an operator: any for a service account, only the first for a person. */
export function issueToken(state: Credentials, input: NewToken & { kind: 'person' | 'service' }): CredentialsEvent[] {
  if (input.kind === 'person' && state.used) {
    throw new AppError('forbidden', [], {
      message: 'This person has had a token or has signed in, so only they can create tokens',
    });
  }
  return createToken(state, input);
}

export function revokeToken(state: Credentials, input: { token: string }): CredentialsEvent[] {
  return state.tokens.some(({ id }) => id === input.token) ? [{ type: 'TokenRevoked', data: input }] : [];
}

/** Records the first sign-in. After it, nobody else creates tokens for the person. */
export function recordSignIn(
  state: Credentials,
  { method }: EventDataOf<CredentialsEvent, 'PersonSignedIn'>,
): CredentialsEvent[] {
  if (state.ended) throw new AppError('unauthenticated');
  return state.signedIn ? [] : [{ type: 'PersonSignedIn', data: { method } }];
}

export function recordPasswordChange(state: Credentials): CredentialsEvent[] {
  if (state.ended) throw new AppError('unauthenticated');
  return [{ type: 'PasswordChanged', data: {} }];
}

/** Ends all tokens. No token or sign-in is possible after that. */
export function endCredentials(state: Credentials): CredentialsEvent[] {
  return state.ended ? [] : [{ type: 'CredentialsEnded', data: {} }];
}
