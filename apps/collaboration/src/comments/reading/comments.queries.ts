import { AppError, type Comment, type CommentReply } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { RichDocument } from '@scriptorium/rich-text';
import type { ContentPlaces } from '../../spaces/index.js';
import { findTexts, type TextPlace } from '../../texts/index.js';
import { commentCounts } from './comment-count.projection.js';
import { idOfPlace, type CommentPlace } from '../places/comment-place.js';
import { comments, type CommentDocument } from './comment.projection.js';
import { renderComment, renderReply, type Shown } from './comment.render.js';
import { replies, type ReplyDocument } from './comment-reply.projection.js';
import { findFittingPage } from './fitting-page.queries.js';

/** What comments are shown with. */
export interface Showing extends Omit<Shown, 'api'> {
  places: ContentPlaces;
  /** Texts that need not be read, by name. */
  known?: ReadonlyMap<string, RichDocument>;
}

interface CommentFilter extends PageRequest {
  operation: string;
  order: 'asc' | 'desc';
  status: 'all' | 'open' | 'resolved';
  targetPage?: string | undefined;
  authors?: readonly string[] | undefined;
}

/** A comment in its place. @throws AppError `not_found` */
export async function requireComment(
  { store }: Pick<Scope, 'store'>,
  place: CommentPlace,
  id: string,
): Promise<Stored<CommentDocument>> {
  const doc = await store.read(comments).byId(id);
  if (doc?.place !== idOfPlace(place)) throw new AppError('not_found');
  return doc;
}

/** A reply to a comment. @throws AppError `not_found` */
export async function requireReply(
  { store }: Pick<Scope, 'store'>,
  comment: string,
  id: string,
): Promise<Stored<ReplyDocument>> {
  const doc = await store.read(replies).byId(id);
  if (doc?.comment !== comment) throw new AppError('not_found');
  return doc;
}

export async function getComment(scope: Scope, showing: Showing, id: string): Promise<Comment> {
  const [shown] = await renderComments(scope, showing, [await requireComment(scope, showing.place, id)]);
  if (shown === undefined) throw new AppError('not_found');
  return shown;
}

/** The comments with these ids that are in a place, by id. */
export async function findCommentsById(
  scope: Scope,
  showing: Showing,
  ids: readonly string[],
): Promise<Map<string, Comment>> {
  const place = idOfPlace(showing.place);
  const docs = (await scope.store.read(comments).byIds([...ids])).filter((doc) => doc.place === place);
  return new Map((await renderComments(scope, showing, docs)).map((comment) => [comment.id, comment]));
}

export async function listComments(scope: Scope, showing: Showing, filter: CommentFilter): Promise<Page<Comment>> {
  const { store } = scope;
  const { operation, order, status, targetPage, authors } = filter;
  const place = idOfPlace(showing.place);
  const page = await findFittingPage(scope, {
    model: store.read(comments),
    filter: {
      place,
      ...(status === 'all' ? {} : { status }),
      ...(targetPage === undefined ? {} : { page: targetPage }),
      ...(authors === undefined ? {} : { author: { $in: [...authors] } }),
    },
    total: targetPage === undefined && authors === undefined ? await totalOf(scope, showing.place, status) : undefined,
    sort: 'postedAt',
    binding: { operation, scope: { place, status, targetPage, authors }, order },
    request: filter,
  });
  return { ...page, items: await renderComments(scope, showing, page.items) };
}

/** The number of comments of a place; `undefined` where it is not kept. */
async function totalOf(
  { store }: Scope,
  { space, changeRequest }: CommentPlace,
  status: CommentFilter['status'],
): Promise<number | undefined> {
  if (changeRequest !== null) return undefined;
  const { total = 0, open = 0 } = (await store.read(commentCounts).byId(space.id)) ?? {};
  return { all: total, open, resolved: total - open }[status];
}

async function renderComments(
  scope: Scope,
  { places, known, ...shown }: Showing,
  docs: readonly Stored<CommentDocument>[],
): Promise<Comment[]> {
  const branch = { space: shown.place.space.id, branch: idOfPlace(shown.place) };
  const [texts, missing] = await Promise.all([
    textsOf(
      scope,
      docs.map(({ _id, space, text }) => ({ space, owner: _id, text })),
      known,
    ),
    places.missing(
      scope,
      branch,
      docs.flatMap(({ page }) => page ?? []),
    ),
  ]);
  return docs.map((doc) =>
    renderComment(
      doc,
      { text: texts.get(doc.text), isOrphaned: doc.page !== null && missing.has(doc.page) },
      { ...shown, api: scope.urls.api },
    ),
  );
}

async function textsOf(
  scope: Scope,
  wanted: readonly TextPlace[],
  known: ReadonlyMap<string, RichDocument> = new Map<string, RichDocument>(),
): Promise<Map<string, RichDocument>> {
  const stored = await findTexts(
    scope,
    wanted.filter(({ text }) => !known.has(text)),
  );
  return new Map([...known, ...stored]) as Map<string, RichDocument>;
}

export async function getReply(scope: Scope, showing: Showing, comment: string, id: string): Promise<CommentReply> {
  const [shown] = await renderReplies(scope, showing, [await requireReply(scope, comment, id)]);
  if (shown === undefined) throw new AppError('not_found');
  return shown;
}

export async function listReplies(
  scope: Scope,
  showing: Showing,
  filter: PageRequest & { operation: string; comment: string },
): Promise<Page<CommentReply>> {
  const { operation, comment } = filter;
  const { replies: total } = await requireComment(scope, showing.place, comment);
  const page = await findFittingPage(scope, {
    model: scope.store.read(replies),
    filter: { comment },
    total,
    sort: 'postedAt',
    binding: { operation, scope: { comment }, order: 'asc' },
    request: filter,
  });
  return { ...page, items: await renderReplies(scope, showing, page.items) };
}

async function renderReplies(
  scope: Scope,
  { known, ...shown }: Showing,
  docs: readonly Stored<ReplyDocument>[],
): Promise<CommentReply[]> {
  const texts = await textsOf(
    scope,
    docs.map(({ space, comment, text }) => ({ space, owner: comment, text })),
    known,
  );
  return docs.map((doc) => renderReply(doc, texts.get(doc.text), { ...shown, api: scope.urls.api }));
}
