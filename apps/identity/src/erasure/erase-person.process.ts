import { waitForProjections, withStore, type Scope } from '@scriptorium/platform';
import { AppError } from '@scriptorium/contracts';
import {
  beginErasure,
  erasure,
  finishErasure,
  installation,
  installationId,
  recordOperatorLeft,
  refuseErasure,
  recordOperatorStayed,
} from '../accounts/index.js';
import { members } from '../organization-read-models/index.js';
import { removeMember, roster } from '../organizations/index.js';
import { endTeamMemberships } from '../teams/index.js';
import { lastAdminError, operatorIds, requireOtherAdmins } from './last-admin.check.js';

/**
 * Ends the memberships of a person and records their erasure, after which no read model shows them. Safe to repeat,
 * also after an interruption. Returns the position of the record in the log.
 * @throws AppError `last_admin` when an organization or the installation would have no admin or operator, `conflict`
 * when another request to erase the person was refused in the meantime
 */
export async function erasePerson(scope: Scope, user: string): Promise<bigint> {
  const own = repeatableScope(scope);
  const { store } = own;
  try {
    await requireOtherAdmins(scope, user, store.context.actor.id === user);
    const { position } = await store.handle(erasure, user, beginErasure, { wait: false });
    // Memberships that began before this position are shown then. Only requests that are under way can add more.
    if (!store.dry) await waitForProjections(scope, { position, type: 'MemberJoined' }, [members]);
    await leaveOrganizations(own, user);
    const operators = await operatorIds(scope);
    await store.handle(installation, installationId, (state) => recordOperatorLeft(state, { user, operators }), {
      wait: false,
    });
  } catch (error) {
    if (error instanceof AppError && error.reason === 'last_admin') await recordRefusal(own, user);
    throw error;
  }
  return (await store.handle(erasure, user, (state) => finishErasure(state, { user }))).position;
}

async function recordRefusal(scope: Scope, user: string): Promise<void> {
  await scope.store.handle(erasure, user, refuseErasure, { wait: false });
  await restoreRefusedOperator(scope, user);
}

/**
 * Restores an operator whose erasure was refused: an interrupted or concurrent erasure may have recorded that they
 * left. It runs after the refusal, since no erasure finishes after that.
 */
export async function restoreRefusedOperator(scope: Scope, user: string): Promise<void> {
  const { store } = repeatableScope(scope);
  if ((await store.load(erasure, user)).status !== 'refused') return;
  await store.handle(installation, installationId, (state) => recordOperatorStayed(state, { user }), { wait: false });
}

/**
 * A scope without an idempotency key, for commands that have no effect when repeated. Several of them go to one stream,
 * where the key would suppress all but the first.
 */
export function repeatableScope(scope: Scope): Scope {
  return withStore(scope, scope.store.in(null).keyed(undefined));
}

/**
 * Removes the person from their organizations. Each roster checks again that an admin stays, since others may have left
 * after the first check.
 */
async function leaveOrganizations({ store }: Scope, user: string): Promise<void> {
  for (const { organization } of await store.read(members).find({ user }).toArray()) {
    const inside = store.in(organization);
    const { events } = await inside.handle(
      roster,
      organization,
      (state) => removeFromRoster(state, organization, user),
      {
        wait: false,
      },
    );
    for (const event of events)
      if (event.type === 'MemberRemoved') await endTeamMemberships({ store: inside }, event.data);
  }
}

function removeFromRoster(
  state: Parameters<typeof removeMember>[0],
  organization: string,
  user: string,
): ReturnType<typeof removeMember> {
  try {
    return removeMember(state, { user, by: user });
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'last_admin') throw error;
    throw lastAdminError([{ path: `organizations.${organization}`, message: 'The organization would have no admin' }]);
  }
}
