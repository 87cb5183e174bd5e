import { AppError, limitReached, limits } from '@scriptorium/contracts';
import { defineAggregate, unchanged, type EventDataOf } from '@scriptorium/event-sourcing';
import { credentialsEvents, type CredentialsEvent } from './credentials.events.js';

export interface Credentials {
  /** Ids of the tokens that are not revoked. */
  tokens: readonly string[];
  /** Whether there ever was a token. */
  used: boolean;
}

function evolve(state: Credentials, event: CredentialsEvent): Credentials {
  switch (event.type) {
    case 'TokenCreated':
      return { tokens: [...state.tokens, event.data.token], used: true };
    case 'TokenRevoked':
      return { ...state, tokens: state.tokens.filter((token) => token !== event.data.token) };
    default:
      return unchanged(state, event);
  }
}

export const credentials = defineAggregate({
  service: 'identity',
  entity: 'credentials',
  events: credentialsEvents,
  initial: { tokens: [], used: false },
  evolve,
});

export type NewToken = EventDataOf<CredentialsEvent, 'TokenCreated'>;
export type CredentialsDecision<Input> = (state: Credentials, input: Input) => CredentialsEvent[];

export function createToken(state: Credentials, input: NewToken): CredentialsEvent[] {
  if (state.tokens.length >= limits.tokensPerUser) {
    throw limitReached('tokensPerUser');
  }
  return [{ type: 'TokenCreated', data: input }];
}

/** A token that an operator makes: for a service account, or the first of a person (decisions 3.1). */
export function issueToken(state: Credentials, input: NewToken & { kind: 'person' | 'service' }): CredentialsEvent[] {
  const { kind, ...token } = input;
  if (kind === 'person' && state.used) {
    throw new AppError('forbidden', [], { message: 'This person has had a token; only they can create more' });
  }
  return createToken(state, token);
}

export function revokeToken(state: Credentials, input: { token: string }): CredentialsEvent[] {
  return state.tokens.includes(input.token) ? [{ type: 'TokenRevoked', data: input }] : [];
}
