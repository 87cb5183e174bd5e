import { AppError } from '@scriptorium/contracts';
import { isDry, type CommandContext } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { installation, installationId, leave as leaveInstallation, stay } from '../installation/installation.js';
import { members } from '../members/member.projection.js';
import { removeMember, roster } from '../members/roster.js';
import { projected } from '../projected.js';
import { dropFromTeams } from '../teams/drop-from-teams.process.js';
import { begin, erasure, finish, refuse } from './erasure.js';
import { nobodyLeft, operatorIds, requireSuccession } from './succession.check.js';

/**
 * Ends a person's memberships and records that they are erased, from which moment nobody knows them. Safe to repeat; one that
 * broke off is taken up again. Returns the position of that record in the log.
 * @throws AppError `last_admin` when somebody has to be put in charge first, `conflict` when it was refused to somebody else
 * meanwhile.
 */
export async function erasePerson(context: ServiceContext, user: string, command: CommandContext): Promise<bigint> {
  const { store } = context;
  const own = unkeyed(command);
  try {
    await requireSuccession(context, user, command.actor.id === user);
    const { position } = await store.handle(erasure, user, own, begin, { wait: false });
    // Whatever they were made a member of until now: from here on only what was under way adds to it.
    if (!isDry()) await projected(context, { position, type: 'MemberJoined' }, [members]);
    await leaveOrganizations(context, user, own);
    const operators = await operatorIds(context);
    await store.handle(installation, installationId, own, (state) => leaveInstallation(state, { user, operators }), { wait: false });
  } catch (error) {
    if (error instanceof AppError && error.reason === 'last_admin') await refuseErasure(context, user, own);
    throw error;
  }
  return (await store.handle(erasure, user, own, (state) => finish(state, { user }))).position;
}

async function refuseErasure(context: ServiceContext, user: string, own: CommandContext): Promise<void> {
  await context.store.handle(erasure, user, own, refuse, { wait: false });
  await stayOperator(context, user, own);
}

/** Whoever was refused may have been recorded to go, by one who broke off or who erases them too. After the refusal, behind which nobody finishes. */
export async function stayOperator({ store }: ServiceContext, user: string, own: CommandContext): Promise<void> {
  if ((await store.load(erasure, user)).status !== 'refused') return;
  await store.handle(installation, installationId, own, (state) => stay(state, { user }), { wait: false });
}

/** Each command is nothing to do when it has been done, and several go to one stream: a key would hide all but the first. */
export function unkeyed(command: CommandContext): CommandContext {
  return { ...command, organization: null, idem: undefined };
}

/** The rule of the last admin is held by each roster: whoever else left since it was looked at may make this one refuse. */
async function leaveOrganizations({ store }: ServiceContext, user: string, own: CommandContext): Promise<void> {
  for (const { organization } of await store.collection(members).find({ user }).toArray()) {
    const command = { ...own, organization };
    const { events } = await store.handle(roster, organization, command, (state) => leaving(state, organization, user), { wait: false });
    for (const event of events) if (event.type === 'MemberRemoved') await dropFromTeams(store, event.data, command);
  }
}

function leaving(state: Parameters<typeof removeMember>[0], organization: string, user: string): ReturnType<typeof removeMember> {
  try {
    return removeMember(state, { user, by: user });
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'last_admin') throw error;
    throw nobodyLeft([{ path: `organizations.${organization}`, message: 'It would have no admin' }]);
  }
}
