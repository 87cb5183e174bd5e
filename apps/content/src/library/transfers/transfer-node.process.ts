import type { ServiceAccess } from '@scriptorium/access';
import { AppError, blaming, lacksLevel, roleAtLeast, type InputOf, type transferSpace } from '@scriptorium/contracts';
import { type Call } from '@scriptorium/platform';
import {
  arrivalOf,
  beginTransfer,
  endTransfer,
  judgeByLibrary,
  library,
  moveNode,
  requireCreate,
  requireEntry,
  requireNode,
  requireTransferable,
  type TransferredNode,
  type ViewedNode,
} from '../nodes/index.js';
import type { ContentObjects } from '../../versions/index.js';
import { onSitesOf } from '../spaces/index.js';
import { followTransfer } from './follow-transfer.process.js';
import { ownPoolsOf } from './pools.queries.js';

type Body = InputOf<typeof transferSpace>['body'];

/**
 * Transfers a space, or a collection with everything in it, to another organization. If the request is cut off, a run
 * brings the transfer to its end.
 * @throws AppError `no_change`, `not_found` and `forbidden` naming the field, `sso_required`, `cannot_move` for a space
 * that a published site shows, `limit_reached`, `position_invalid`, `conflict`
 */
export async function transferNode(
  call: Call,
  { access, objects }: { access: ServiceAccess; objects: ContentObjects },
  id: string,
  body: Body,
): Promise<void> {
  const { organization: to, parent = null } = body;
  const node = await requireNode(call, access, call.principal, id);
  const isHere = to === node.organization;
  if (!isHere) await requirePlaceIn(call, access, { to, parent });
  if (await wasMade(call, objects, to)) return;
  if (isHere) return moveWithin(call, access, node, body);
  const nodes = await requireBothLibraries(call, node, { to, parent });
  await requireUnpublished(call, node.organization, nodes);
  await withinBytes(call, objects, { from: node.organization, to, nodes }, () =>
    transferNow(call, objects, node, { to, parent }),
  );
}

/**
 * Whether this request has made its transfer before, and the answer to it was lost. What has to follow has followed
 * then.
 * @throws AppError `conflict` when the other organization has refused it
 */
async function wasMade(call: Call, objects: ContentObjects, to: string): Promise<boolean> {
  if (call.store.context.idem === undefined) return false;
  const transfer = call.idFor('transfer');
  const arrival = await arrivalOf(call.store, { to, transfer });
  if (arrival === undefined) return false;
  if (arrival.status === 'refused') throw changed(call);
  if (arrival.status === 'entered') await followTransfer(call, objects, { from: arrival.from, to, transfer, after: 0 });
  return true;
}

/** A refusal counts for the transfer that this request makes, so that with its key the answer stays the same. */
function changed({ store }: Call): AppError {
  const message = 'The other organization has changed meanwhile';
  if (store.context.idem === undefined) return new AppError('conflict', [], { message, retryAfter: 1 });
  return new AppError('conflict', [], { message: `${message}: send the request with another Idempotency-Key` });
}

/** The bytes of its files count for the other organization. @throws AppError `limit_reached` */
async function withinBytes(
  call: Call,
  { files }: ContentObjects,
  { from, to, nodes }: { from: string; to: string; nodes: readonly TransferredNode[] },
  work: () => Promise<void>,
): Promise<void> {
  const spaces = nodes.flatMap(({ id, kind }) => (kind === 'space' ? [id] : []));
  const more = await files.bytesOfPools(from, await ownPoolsOf(call.store, from, spaces));
  const look = async () => ({ present: await files.bytesOf(to), more });
  await call.quotas.within({ limit: 'fileBytesPerOrganization', of: to, most: more, look }, work);
}

async function transferNow(
  call: Call,
  objects: ContentObjects,
  node: ViewedNode,
  { to, parent }: { to: string; parent: string | null },
): Promise<void> {
  const { id, organization: from } = node;
  const transfer = call.idFor('transfer');
  const here = node.kind === 'space' ? call.store.within({ space: id }) : call.store;
  // Nobody sees that it has begun.
  await here
    .step('begin')
    .handle(library, from, (state) => beginTransfer(state, { transfer, node: id, to, parent }), { wait: false });
  if ((await endTransfer(call.store, { from, transfer, limits: call.limits })) === false) throw changed(call);
  await followTransfer(call, objects, { from, to, transfer, after: 0 });
}

/** Within an organization, another collection makes it a move. */
async function moveWithin(
  call: Call,
  access: ServiceAccess,
  { id, parent }: ViewedNode,
  wanted: Pick<Body, 'parent'>,
): Promise<void> {
  if (wanted.parent === undefined || wanted.parent === parent)
    throw new AppError('no_change', [], { message: 'It belongs to that organization' });
  await moveNode(call, access, id, { parent: wanted.parent });
}

/** Whoever transfers something may create where it comes to stand. */
async function requirePlaceIn(
  call: Call,
  access: ServiceAccess,
  { to, parent }: { to: string; parent: string | null },
): Promise<void> {
  const place = await access.placeIn(call, to, call.principal);
  if (place === null) throw blaming('not_found', 'body.organization', 'There is no such organization');
  if (place.withoutSSO) throw blaming('sso_required', 'body.organization');
  if (parent !== null) await requireCreate(call, access, place, { parent, field: 'body.parent' });
  else if (!roleAtLeast(place.role, 'create')) throw lacksLevel('create', 'organization', 'body.organization');
}

/** What is transferred. @throws AppError when one of the two libraries refuses it */
async function requireBothLibraries(
  call: Call,
  { id, organization }: ViewedNode,
  { to, parent }: { to: string; parent: string | null },
): Promise<TransferredNode[]> {
  let nodes: TransferredNode[] = [];
  await judgeByLibrary(call, organization, (state) => {
    nodes = requireTransferable(state, id);
  });
  await judgeByLibrary(call, to, (state) => {
    requireEntry(state, { nodes, parent, limits: call.limits });
  });
  return nodes;
}

/** A published site shows what its organization has. @throws AppError `cannot_move` */
async function requireUnpublished(call: Call, organization: string, nodes: readonly TransferredNode[]): Promise<void> {
  const spaces = nodes.filter(({ kind }) => kind === 'space').map(({ id }) => id);
  const onSites = await onSitesOf(call, spaces);
  const published = spaces.filter((id) => onSites(id, organization) !== undefined);
  if (published.length === 0) return;
  throw new AppError('cannot_move', [], {
    message: `Published sites show ${spaces.length === 1 ? 'the space' : `${published.length} of its spaces`}: take them off these sites first`,
  });
}
