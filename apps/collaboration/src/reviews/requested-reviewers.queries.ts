import { teamSeats } from '@scriptorium/access';
import { referTo, type RequestedReviewer } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { requestedReviewers, type RequestedReviewerDocument } from './requested-reviewer.projection.js';

type RequestedUser = Extract<RequestedReviewer, { kind: 'user' }>;
type RequestedTeam = Extract<RequestedReviewer, { kind: 'team' }>;
type Doc = Stored<RequestedReviewerDocument>;

/** People of requested teams whom one answer shows. */
const mostOfTeams = 1_000;

/** One page of the requests for reviews of a change request, the oldest first. */
export async function listRequestedReviewers(
  scope: Scope,
  changeRequest: string,
  filter: PageRequest & { operation: string },
): Promise<Page<RequestedReviewer>> {
  const page = await findPage(scope.cursors, {
    model: scope.store.read(requestedReviewers),
    filter: { changeRequest },
    sort: 'createdAt',
    binding: { operation: filter.operation, scope: { changeRequest }, order: 'asc' },
    request: filter,
  });
  return { ...page, items: page.items.map(render) };
}

/** All requests for reviews of a change request: the people, those of teams included, and the teams. */
export async function allRequestedReviewers(
  { store }: Scope,
  changeRequest: string,
): Promise<{ users: RequestedUser[]; teams: RequestedTeam[] }> {
  const docs = await store.read(requestedReviewers).find({ changeRequest }).sort({ createdAt: 1, _id: 1 }).toArray();
  const byTeam = new Map(docs.flatMap((doc) => (doc.team === null ? [] : [[doc.team, doc]])));
  const seats = await store
    .read(teamSeats)
    .find({ team: { $in: [...byTeam.keys()] } })
    .sort({ _id: 1 })
    .limit(mostOfTeams)
    .toArray();
  const items = docs.map(render);
  return {
    users: [
      ...items.filter((item) => item.kind === 'user'),
      ...seats.flatMap(({ team, user }): RequestedUser[] => {
        const doc = byTeam.get(team);
        return doc === undefined ? [] : [{ ...renderUser(doc, user), team: referTo('team', team) }];
      }),
    ],
    teams: items.filter((item) => item.kind === 'team'),
  };
}

function render(doc: Doc): RequestedReviewer {
  const { user, team } = doc;
  if (user !== null) return renderUser(doc, user);
  return { ...renderRequest(doc), kind: 'team', team: referTo('team', team ?? '') };
}

function renderUser(doc: Doc, user: string): RequestedUser {
  return { ...renderRequest(doc), kind: 'user', user: referTo('user', user) };
}

function renderRequest({ revision, requestedBy, createdAt }: Doc) {
  return {
    object: 'change-request-requested-reviewer' as const,
    revision,
    requestedBy: referTo('user', requestedBy),
    createdAt,
  };
}
