import { AppError } from '@scriptorium/contracts';
import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedEntries,
  keyedGet,
  keyedPut,
  unchanged,
  type EventDataOf,
  type Keyed,
} from '@scriptorium/event-sourcing';
import { type ProvisioningEvent, provisioningEvents } from '../events/index.js';

type NewToken = EventDataOf<ProvisioningEvent, 'SCIMTokenCreated'>;

/** What identity providers may do in an organization, and how they name its teams. */
export interface Provisioning {
  /** The tokens that are not revoked. */
  tokens: Keyed<Pick<NewToken, 'hash' | 'expiresAt'>>;
  /** The provider's ids of teams, by team. */
  externalIds: Keyed<string>;
  /** The teams that the provider wants and that are not complete yet, the latest last. */
  begun: readonly WantedTeam[];
}

export type WantedTeam = EventDataOf<ProvisioningEvent, 'TeamProvisioningBegan'>;

/** The most teams that are not complete. When there are more, the oldest are dropped. */
const maxBegun = 100;

function evolve(state: Provisioning, event: ProvisioningEvent): Provisioning {
  switch (event.type) {
    case 'SCIMTokenCreated': {
      const { token, hash, expiresAt } = event.data;
      return { ...state, tokens: keyedPut(state.tokens, token, { hash, expiresAt }) };
    }
    case 'SCIMTokenRevoked':
      return { ...state, tokens: keyedDrop(state.tokens, event.data.token) };
    case 'TeamExternalIdChanged': {
      const { team, externalId } = event.data;
      const { externalIds } = state;
      return {
        ...state,
        externalIds: externalId === null ? keyedDrop(externalIds, team) : keyedPut(externalIds, team, externalId),
      };
    }
    case 'TeamProvisioningBegan':
      return { ...state, begun: [...state.begun, event.data].slice(-maxBegun) };
    case 'TeamProvisioningEnded':
      return { ...state, begun: state.begun.filter(({ team }) => team !== event.data.team) };
    default:
      return unchanged(state, event);
  }
}

export const provisioning = defineAggregate({
  service: 'identity',
  entity: 'provisioning',
  events: provisioningEvents,
  initial: { tokens: emptyKeyed, externalIds: emptyKeyed, begun: [] },
  evolve,
});

/** The most SCIM tokens of an organization: one for each provider, and a second one while a token is replaced. */
const maxTokens = 20;

/**
 * Creates a SCIM token. At the limit, expired tokens are dropped. `now`: milliseconds since the epoch.
 * @throws AppError `limit_reached`
 */
export function createToken(
  state: Provisioning,
  { token, now }: { token: NewToken; now: number },
): ProvisioningEvent[] {
  const tooMany = Math.max(0, state.tokens.size + 1 - maxTokens);
  const expired = keyedEntries(state.tokens)
    .filter(([, { expiresAt }]) => isExpired(expiresAt, now))
    .slice(0, tooMany);
  if (expired.length < tooMany)
    throw new AppError('limit_reached', [], { message: `An organization can have at most ${maxTokens} SCIM tokens` });
  return [
    ...expired.map(([id]) => ({ type: 'SCIMTokenRevoked' as const, data: { token: id } })),
    { type: 'SCIMTokenCreated', data: token },
  ];
}

export function revokeToken(state: Provisioning, input: { token: string }): ProvisioningEvent[] {
  return keyedGet(state.tokens, input.token) === undefined ? [] : [{ type: 'SCIMTokenRevoked', data: input }];
}

/** The hash of a token that is good now, or undefined. `now`: milliseconds since the epoch. */
export function hashOfToken(state: Provisioning, { token, now }: { token: string; now: number }): string | undefined {
  const held = keyedGet(state.tokens, token);
  return held === undefined || isExpired(held.expiresAt, now) ? undefined : held.hash;
}

function isExpired(expiresAt: string | undefined, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

/** Records the provider's id of a team; null for none. */
export function nameTeam(
  state: Provisioning,
  input: EventDataOf<ProvisioningEvent, 'TeamExternalIdChanged'>,
): ProvisioningEvent[] {
  const present = keyedGet(state.externalIds, input.team) ?? null;
  return present === input.externalId ? [] : [{ type: 'TeamExternalIdChanged', data: input }];
}

/**
 * Records that the provider wants a team. No event when the same one has been begun and is not complete.
 * @throws AppError `already_exists` when another team has the provider's id
 */
export function beginTeam(state: Provisioning, input: WantedTeam): ProvisioningEvent[] {
  const { team, externalId } = input;
  if (begunTeam(state, input) !== undefined) return [];
  if (externalId !== null && teamsNamed(state, externalId).length > 0)
    throw new AppError('already_exists', [], { message: `externalId: another group has the id ${externalId}` });
  return [{ type: 'TeamProvisioningBegan', data: input }, ...nameTeam(state, { team, externalId })];
}

/** The id of the team that has been begun and is not complete, or undefined. A team without an id is known by title. */
export function begunTeam(state: Provisioning, wanted: Omit<WantedTeam, 'team'>): string | undefined {
  const isSame = ({ title, externalId }: WantedTeam) =>
    externalId === wanted.externalId && (externalId !== null || title === wanted.title);
  return state.begun.find(isSame)?.team;
}

/** The teams that have an id of the provider. */
export function teamsNamed({ externalIds }: Provisioning, externalId: string): string[] {
  return keyedEntries(externalIds).flatMap(([team, id]) => (id === externalId ? [team] : []));
}

/** Records that a team is complete. */
export function completeTeam(state: Provisioning, input: { team: string }): ProvisioningEvent[] {
  return state.begun.some(({ team }) => team === input.team) ? [{ type: 'TeamProvisioningEnded', data: input }] : [];
}

/**
 * Records that a team was never made: the provider's id is free. No event as long as it is begun, when its request can
 * be repeated.
 */
export function forgetUnmadeTeam(state: Provisioning, { team }: { team: string }): ProvisioningEvent[] {
  return state.begun.some((wanted) => wanted.team === team) ? [] : forgetTeam(state, { team });
}

/** Records that a team does not exist any more, or was refused: the provider's id is free. */
export function forgetTeam(state: Provisioning, { team }: { team: string }): ProvisioningEvent[] {
  return [...nameTeam(state, { team, externalId: null }), ...completeTeam(state, { team })];
}
