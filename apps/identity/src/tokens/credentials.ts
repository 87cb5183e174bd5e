import { AppError, limitReached } from '@scriptorium/contracts';
import { defineAggregate, unchanged, type EventDataOf } from '@scriptorium/event-sourcing';
import { credentialsEvents, type CredentialsEvent } from './credentials.events.js';

export interface Credentials {
  /** Ids of the tokens that are not revoked. */
  tokens: readonly string[];
  /** Whether there ever was a token, or a sign-in. */
  used: boolean;
  signedIn: boolean;
}

function evolve(state: Credentials, event: CredentialsEvent): Credentials {
  switch (event.type) {
    case 'TokenCreated':
      return { ...state, tokens: [...state.tokens, event.data.token], used: true };
    case 'TokenRevoked':
      return { ...state, tokens: state.tokens.filter((token) => token !== event.data.token) };
    case 'PersonSignedIn':
      return { ...state, used: true, signedIn: true };
    case 'PasswordChanged':
      return state;
    default:
      return unchanged(state, event);
  }
}

export const credentials = defineAggregate({
  service: 'identity',
  entity: 'credentials',
  events: credentialsEvents,
  initial: { tokens: [], used: false, signedIn: false },
  evolve,
});

export interface NewToken {
  token: EventDataOf<CredentialsEvent, 'TokenCreated'>;
  /** Tokens that a user can have. */
  limit: number;
}

/** A scope that is named twice is recorded once. */
export function createToken(state: Credentials, { token, limit }: NewToken): CredentialsEvent[] {
  if (state.tokens.length >= limit) throw limitReached('tokensPerUser', limit);
  const { scopes, ...data } = token;
  return [{ type: 'TokenCreated', data: scopes === undefined ? data : { ...data, scopes: [...new Set(scopes)] } }];
}

/** A token that an operator makes: for a service account, or the first of a person (decisions 3.1). */
export function issueToken(state: Credentials, input: NewToken & { kind: 'person' | 'service' }): CredentialsEvent[] {
  if (input.kind === 'person' && state.used) {
    throw new AppError('forbidden', [], { message: 'This person has had a token or has signed in; only they can create more' });
  }
  return createToken(state, input);
}

export function revokeToken(state: Credentials, input: { token: string }): CredentialsEvent[] {
  return state.tokens.includes(input.token) ? [{ type: 'TokenRevoked', data: input }] : [];
}

/** Notes the first sign-in, after which nobody else makes tokens for the person. */
export function noteSignIn(state: Credentials, { method }: EventDataOf<CredentialsEvent, 'PersonSignedIn'>): CredentialsEvent[] {
  return state.signedIn ? [] : [{ type: 'PersonSignedIn', data: { method } }];
}

export function notePasswordChange(_state: Credentials): CredentialsEvent[] {
  return [{ type: 'PasswordChanged', data: {} }];
}
