import { AppError } from '@scriptorium/contracts';
import { keyedGet, type EventDataOf } from '@scriptorium/event-sourcing';
import type { UserEvent } from '../../events/index.js';
import { userNameOf } from './user-names.reservation.js';
import { changeProfile, register, type User } from './user.js';

/** How the identity provider of an organization names a person. */
export type ProvisionedName = EventDataOf<UserEvent, 'UserProvisioned'>;

/**
 * Registers a person whom an identity provider creates, or takes the account that it has made before. The address is
 * not verified: outside the organization it proves nothing. `resumes`: the person has never become a member, since the
 * request that was to make them one was interrupted.
 * @throws AppError `already_exists` when the provider has the person already
 */
export function registerProvisioned(
  state: User,
  input: { name: ProvisionedName; email: string; displayName: string; resumes: boolean },
): UserEvent[] {
  const { name, email, displayName, resumes } = input;
  const provisioned: UserEvent = { type: 'UserProvisioned', data: name };
  if (state.status !== 'active') {
    const account = { email, displayName, emailVerified: false, kind: 'person', operator: false } as const;
    return [...register(state, account), provisioned];
  }
  const present = keyedGet(state.provisioned, name.organization);
  if (present === undefined) return [provisioned];
  if (!resumes || present.joining !== true || userNameOf(present) !== userNameOf(name))
    throw new AppError('already_exists');
  return nameProvisioned(state, { name, displayName, from: present.userName });
}

/**
 * Records how an identity provider names a person. `displayName`: the new name of an account that belongs to the
 * provider. `from`: the `userName` that they had when this one was reserved.
 * @throws AppError `conflict` when they have got another one since
 */
export function nameProvisioned(
  state: User,
  input: { name: ProvisionedName; displayName?: string | undefined; from: string | undefined },
): UserEvent[] {
  const { name, displayName, from } = input;
  if (state.status !== 'active') throw new AppError('not_found');
  const present = keyedGet(state.provisioned, name.organization);
  if (present?.userName !== from) throw new AppError('conflict', [], { retryAfter: 1 });
  return [
    ...(isSame(present, name) ? [] : [{ type: 'UserProvisioned' as const, data: name }]),
    ...changeProfile(state, { displayName }),
  ];
}

function isSame(present: ProvisionedName | undefined, name: ProvisionedName): boolean {
  if (present === undefined) return false;
  const keys = Object.keys({ ...present, ...name }) as (keyof ProvisionedName)[];
  return keys.every((key) => present[key] === name[key]);
}

/** Records that the identity provider of an organization has deleted the person. */
export function endProvisioning(state: User, { organization }: { organization: string }): UserEvent[] {
  return provisionedName(state, organization) === undefined
    ? []
    : [{ type: 'UserDeprovisioned', data: { organization } }];
}

/** How the identity provider of an organization names the person; undefined if it does not. */
export function provisionedName(state: User, organization: string): ProvisionedName | undefined {
  return state.status === 'active' ? keyedGet(state.provisioned, organization) : undefined;
}
