import { AppError } from '@scriptorium/contracts';
import { withStore, type Scope } from '@scriptorium/platform';
import {
  beginErasure,
  erasure,
  finishErasure,
  installation,
  installationId,
  leave as leaveInstallation,
  refuseErasure,
  stay,
} from '../accounts/index.js';
import { members } from '../read-models/index.js';
import { removeMember, roster } from '../organizations/index.js';
import { waitForProjections } from '../shared/index.js';
import { endTeamMemberships } from '../teams/index.js';
import { lastAdminError, operatorIds, requireOtherAdmins } from './last-admin.check.js';

/**
 * Ends a person's memberships and records that they are erased, from which moment nobody knows them. Safe to repeat; one that
 * broke off is taken up again. Returns the position of that record in the log.
 * @throws AppError `last_admin` when somebody has to be put in charge first, `conflict` when it was refused to somebody else
 * meanwhile.
 */
export async function erasePerson(scope: Scope, user: string): Promise<bigint> {
  const own = repeatable(scope);
  const { store } = own;
  try {
    await requireOtherAdmins(scope, user, store.context.actor.id === user);
    const { position } = await store.handle(erasure, user, beginErasure, { wait: false });
    // Whatever they were made a member of until now: from here on only what was under way adds to it.
    if (!store.dry) await waitForProjections(scope, { position, type: 'MemberJoined' }, [members]);
    await leaveOrganizations(own, user);
    const operators = await operatorIds(scope);
    await store.handle(installation, installationId, (state) => leaveInstallation(state, { user, operators }), {
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
  await stayOperator(scope, user);
}

/** Whoever was refused may have been recorded to go, by one who broke off or who erases them too. After the refusal, behind which nobody finishes. */
export async function stayOperator(scope: Scope, user: string): Promise<void> {
  const { store } = repeatable(scope);
  if ((await store.load(erasure, user)).status !== 'refused') return;
  await store.handle(installation, installationId, (state) => stay(state, { user }), { wait: false });
}

/** Commands that do nothing when they have been done. Several go to one stream, where a key would hide all but the first. */
export function repeatable(scope: Scope): Scope {
  return withStore(scope, scope.store.in(null).keyed(undefined));
}

/** The rule of the last admin is held by each roster: whoever else left since it was looked at may make this one refuse. */
async function leaveOrganizations({ store }: Scope, user: string): Promise<void> {
  for (const { organization } of await store.read(members).find({ user }).toArray()) {
    const inside = store.in(organization);
    const { events } = await inside.handle(roster, organization, (state) => leaving(state, organization, user), {
      wait: false,
    });
    for (const event of events)
      if (event.type === 'MemberRemoved') await endTeamMemberships({ store: inside }, event.data);
  }
}

function leaving(
  state: Parameters<typeof removeMember>[0],
  organization: string,
  user: string,
): ReturnType<typeof removeMember> {
  try {
    return removeMember(state, { user, by: user });
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'last_admin') throw error;
    throw lastAdminError([{ path: `organizations.${organization}`, message: 'It would have no admin' }]);
  }
}
