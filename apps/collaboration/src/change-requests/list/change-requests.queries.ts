import { membershipKey, memberships, teamSeats, type ServiceAccess } from '@scriptorium/access';
import { AppError, type ChangeRequest, type Principal } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { branchHeads, viewableSpaces } from '../../spaces/index.js';
import { hasFallenBehind, renderChangeRequest, type ShownWith } from './change-request.render.js';
import { changeRequests, type ChangeRequestDocument } from './change-request.projection.js';
import { noText, requestTexts, type RequestText } from '../request-text.process.js';

/** A change request that exists. */
export type NumberedRequest = Stored<ChangeRequestDocument> & { number: number };

/** A change request of a space by its id, or by its number there; `null` for one that does not exist. */
export async function findRequest(
  { store }: Pick<Scope, 'store'>,
  space: string,
  which: string,
): Promise<NumberedRequest | null> {
  const model = store.read(changeRequests);
  const doc = /^\d+$/.test(which) ? await model.findOne({ space, number: Number(which) }) : await model.byId(which);
  return doc?.space === space && isNumbered(doc) ? doc : null;
}

function isNumbered(doc: Stored<ChangeRequestDocument>): doc is NumberedRequest {
  return doc.number !== null;
}

/** @throws AppError `not_found` */
export async function requireRequest(
  scope: Pick<Scope, 'store'>,
  space: string,
  which: string,
): Promise<NumberedRequest> {
  const doc = await findRequest(scope, space, which);
  if (doc === null) throw new AppError('not_found');
  return doc;
}

/** The text of a change request, an empty one if it has none. */
export async function getRequestText(
  scope: Pick<Scope, 'database'>,
  request: { _id: string; space: string; text: string | null },
): Promise<RequestText> {
  return (await requestTexts(scope, [request])).get(request.text ?? '') ?? noText;
}

/** Whether the space has revisions that a change request has not taken over. */
export async function isOutdated({ store }: Pick<Scope, 'store'>, request: NumberedRequest): Promise<boolean> {
  const main = await store.read(branchHeads).byId(request.space);
  return hasFallenBehind(request, main?.revision ?? null);
}

/** `more`: what a dry run has not stored. */
export async function getRequest(
  scope: Scope,
  space: string,
  which: string,
  more: { text?: RequestText | undefined; made?: ShownWith['made'] } = {},
): Promise<ChangeRequest> {
  const doc = await requireRequest(scope, space, which);
  const [shown] = await renderRequests(scope, [doc], more);
  if (shown === undefined) throw new AppError('not_found');
  return shown;
}

/** Change requests for responses of other services. Those that the caller may not view are left out. */
export async function lookUpRequests(
  scope: Scope,
  access: ServiceAccess,
  caller: Principal | null,
  ids: readonly string[],
): Promise<ChangeRequest[]> {
  if (caller?.kind !== 'user' || caller.token.scopes?.includes('space:read') === false) return [];
  const docs = (await scope.store.read(changeRequests).byIds([...new Set(ids)])).filter(isNumbered);
  const visible = new Set<string>();
  for (const organization of new Set(docs.map((doc) => doc.organization))) {
    const place = await access.placeIn(scope, organization, caller);
    const spaces = new Set(docs.filter((doc) => doc.organization === organization).map(({ space }) => space));
    for (const space of place === null ? [] : await viewableSpaces(scope, access, place, [...spaces]))
      visible.add(space);
  }
  return renderRequests(
    scope,
    docs.filter(({ space }) => visible.has(space)),
  );
}

interface RequestFilter extends PageRequest {
  operation: string;
  status: readonly string[];
  creator?: string | undefined;
  contributor?: string | undefined;
  requestedReviewer?: string | undefined;
  conversationsIssuesCluster?: string | undefined;
  /** The ids by which change requests can name that cluster. */
  clusters?: readonly string[] | undefined;
  orderBy: 'updatedAt' | 'createdAt';
  /** By which the spaces of an organization were found. */
  space?: string | undefined;
  site?: string | undefined;
}

/** Change requests of one space, or of those of an organization that `spaces` names; the newest first. */
export async function listRequests(
  scope: Scope,
  within: { organization: string } & ({ space: string } | { spaces: readonly string[] }),
  filter: RequestFilter,
): Promise<Page<ChangeRequest>> {
  const { space, site, clusters } = filter;
  const { operation, orderBy, status, creator, contributor, requestedReviewer, conversationsIssuesCluster } = filter;
  const filters = { status, creator, contributor, requestedReviewer, conversationsIssuesCluster };
  const { organization } = within;
  const place = 'space' in within ? { space: within.space } : { organization, space: { $in: [...within.spaces] } };
  const asked = requestedReviewer === undefined ? [] : await keysOfReviewer(scope, organization, requestedReviewer);
  const page = await findPage(scope.cursors, {
    model: scope.store.read(changeRequests),
    filter: {
      ...place,
      status: { $in: [...status] as ChangeRequestDocument['status'][] },
      number: { $ne: null },
      ...(creator === undefined ? {} : { author: creator }),
      ...(contributor === undefined ? {} : { contributors: contributor }),
      ...(requestedReviewer === undefined ? {} : { 'requested.key': { $in: asked } }),
      ...(clusters === undefined ? {} : { conversationsIssuesCluster: { $in: [...clusters] } }),
    },
    sort: orderBy,
    binding: {
      operation,
      scope: { ...('space' in within ? within : { organization, space, site }), ...filters },
      order: 'desc',
    },
    request: filter,
  });
  return { ...page, items: await renderRequests(scope, page.items.filter(isNumbered)) };
}

/** Under what the review of somebody can be requested: their stay in the organization, and their teams. */
async function keysOfReviewer({ store }: Scope, organization: string, user: string): Promise<string[]> {
  const [member, seats] = await Promise.all([
    store.read(memberships).byId(membershipKey(organization, user)),
    store.read(teamSeats).find({ organization, user }).toArray(),
  ]);
  if (member === null) return [];
  const { membership } = member;
  return [membership, ...seats.filter((seat) => seat.membership === membership).map(({ team }) => team)];
}

async function renderRequests(
  scope: Scope,
  docs: readonly NumberedRequest[],
  { text, made }: { text?: RequestText | undefined; made?: ShownWith['made'] } = {},
): Promise<ChangeRequest[]> {
  const [texts, heads] = await Promise.all([
    requestTexts(scope, docs),
    scope.store.read(branchHeads).byIds(docs.map(({ space }) => space)),
  ]);
  const mainOf = new Map(heads.map(({ _id, revision }) => [_id, revision]));
  return docs.map((doc) =>
    renderChangeRequest(
      doc,
      { text: text ?? texts.get(doc.text ?? '') ?? noText, main: mainOf.get(doc.space) ?? null, made },
      scope.urls,
    ),
  );
}
