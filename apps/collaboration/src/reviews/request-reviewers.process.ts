import { findTeams, type ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  requireNone,
  roleAtLeast,
  type InputOf,
  type requestReviewersInChangeRequest,
} from '@scriptorium/contracts';
import { untilDeadline, type Call } from '@scriptorium/platform';
import {
  change,
  changeRequest,
  describeAnew,
  requestReviewers,
  requestState,
  requireEditor,
  requirePresent,
  type Asked,
  type NumberedRequest,
} from '../change-requests/index.js';
import { viewersOf, type ViewedSpace } from '../spaces/index.js';

type Wanted = InputOf<typeof requestReviewersInChangeRequest>['body'];

/**
 * Requests reviews, with a new subject and description if these are given. All of it happens, or nothing.
 * @throws AppError `invalid_request` naming who may not view the space or is its author, `forbidden` for a text of
 * somebody else's change request, `limit_reached`, `conflict` when the deadline comes first
 */
export async function requestReviews(
  call: Call,
  access: ServiceAccess,
  space: ViewedSpace,
  doc: NumberedRequest,
  wanted: Wanted,
): Promise<void> {
  const asked = await askedBy(call, access, space, { doc, wanted });
  await untilDeadline(call, () => attempt(call, space, { doc, wanted, asked }));
}

async function attempt(
  call: Call,
  space: ViewedSpace,
  { doc: { _id: id, revision }, wanted, asked }: { doc: NumberedRequest; wanted: Wanted; asked: Asked },
): Promise<'moved' | 'done'> {
  const { subject, description } = wanted;
  const isDescribed = subject !== undefined || description !== undefined;
  const editor = { user: call.principal.id, mayReview: roleAtLeast(space.level, 'review') };
  const limit = call.limits.requestedReviewersPerChangeRequest;
  const here = call.store.within({ space: space.id, changeRequest: id });
  const { state, repeated } = await requestState(call, id);
  if (repeated) return 'done';
  // Refuse before a text is stored.
  requestReviewers(state, { asked, revision: revision ?? '', limit });
  const { text: previous } = isDescribed ? requireEditor(state, editor) : requirePresent(state);
  const { described } = isDescribed
    ? await describeAnew(call, { space: space.id, id, previous }, { subject, description })
    : { described: undefined };
  try {
    await here.handle(changeRequest, id, (now) => [
      ...(isDescribed ? change(now, editor, { described }) : []),
      ...requestReviewers(now, { asked, revision: revision ?? '', limit }),
    ]);
    return 'done';
  } catch (error) {
    if (described !== undefined && error instanceof AppError && error.reason === 'conflict') return 'moved';
    throw error;
  }
}

/** The people and teams whom a request names, each once. */
async function askedBy(
  call: Call,
  access: ServiceAccess,
  space: ViewedSpace,
  { doc, wanted }: { doc: NumberedRequest; wanted: Wanted },
): Promise<Asked> {
  const users = [...new Set(wanted.users)];
  const teams = [...new Set(wanted.teams)];
  const [viewers, ofOrganization] = await Promise.all([
    viewersOf(call, access, space, users),
    findTeams(call, space.organization, teams),
  ]);
  const named = (wanted.users ?? []).map((user, i) => ({ user, path: `body.users[${i}]` }));
  requireNone([
    ...named
      .filter(({ user }) => !viewers.has(user))
      .map(({ user, path }) => ({ path, message: `${user} may not view the space` })),
    ...named
      .filter(({ user }) => user === doc.author)
      .map(({ user, path }) => ({ path, message: `${user} is its author` })),
    ...(wanted.teams ?? []).flatMap((team, i) =>
      ofOrganization.has(team)
        ? []
        : [{ path: `body.teams[${i}]`, message: `${team} is not a team of the organization` }],
    ),
  ]);
  return {
    users: [...viewers.values()].map(({ user, membership }) => ({ user, membership })),
    teams,
  };
}
