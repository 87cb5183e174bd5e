import { deepStrictEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '@scriptorium/event-sourcing/testing';
import { get } from '../rig.js';
import { textsOf, type Pages } from './content.js';
import { isOutdated, type Model, type ModelRequest, type Name, type Real } from './model.js';
import { nameOf } from './write.commands.js';

/** Compares everything that is shown of a space and its change requests with the model. Fails with the difference. */
export async function compare(model: Model, real: Real): Promise<void> {
  await compareSpace(model, real);
  for (const request of model.requests) await compareRequest(model, real, request);
  await compareLists(model, real);
}

async function read({ rig }: Real, path: string): Promise<Record<string, unknown>> {
  const { status, body } = await rig.send('GET', path);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

async function itemsOf(real: Real, path: string): Promise<Record<string, unknown>[]> {
  const { items, count } = await read(real, `${path}${path.includes('?') ? '&' : '?'}limit=1000`);
  deepStrictEqual(count, (items as unknown[]).length);
  return items as Record<string, unknown>[];
}

async function compareSpace(model: Model, real: Real): Promise<void> {
  const { main, path, requests } = model;
  const withStatus = (status: ModelRequest['status']) => requests.filter((one) => one.status === status).length;
  const expected = {
    revision: main.revision,
    changeRequests: requests.length,
    changeRequestsOpen: withStatus('open'),
    changeRequestsDraft: withStatus('draft'),
  };
  let shown: object = {};
  const isAsExpected = async (): Promise<boolean> => {
    const { revision, changeRequests, changeRequestsOpen, changeRequestsDraft } = await read(real, path);
    shown = { revision, changeRequests, changeRequestsOpen, changeRequestsDraft };
    return isDeepStrictEqual(shown, expected);
  };
  // Content counts change requests that another service tells it of: who did not make them may see them a moment later.
  await eventually(isAsExpected).catch(() => deepStrictEqual(shown, expected));
  // The content of a deleted space is not shown.
  if (!model.isDeleted) deepStrictEqual(await pagesAt(real, path), shownPages(main.pages));
}

async function pagesAt(real: Real, path: string): Promise<object[]> {
  const { pages } = await read(real, `${path}/content/pages`);
  const shown = (pages as { id: string; title: string }[]).map(async ({ id, title }) => {
    const { document } = await read(real, `${path}/content/page/${id}?format=document`);
    return { id, title, texts: textsOf(document) };
  });
  return sorted(await Promise.all(shown));
}

const shownPages = (pages: Pages): object[] =>
  sorted([...pages].map(([id, { title, texts }]) => ({ id, title, texts: [...texts] })));

function sorted<T extends { id: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function compareRequest(model: Model, real: Real, request: ModelRequest): Promise<void> {
  const { head, base, merged, pending, path } = request;
  const shown = await read(real, path);
  const expected = {
    id: request.id,
    number: request.number,
    status: request.status,
    subject: request.subject,
    outdated: isOutdated(model, request),
    revision: head.revision,
    revisionMergedAncestor: shown['revisionMergedAncestor'] === undefined ? undefined : base.revision,
    revisionMerged: merged?.revision,
    comments: request.comments.filter(({ isOpen }) => isOpen).length,
  };
  deepStrictEqual({ ...expected, ...pickFrom(shown, Object.keys(expected)) }, expected);
  if (shown['revisionMergedAncestor'] === undefined) deepStrictEqual(shown['revisionInitial'], base.revision);
  if (!model.isDeleted) deepStrictEqual(await pagesAt(real, path), shownPages(head.pages));
  const { conflicts, outdated, revision } = await read(real, `${path}/update`);
  deepStrictEqual(
    { conflicts: (conflicts as object[]).map(nameOf).sort(), outdated, revision },
    { conflicts: [...(pending?.conflicts ?? [])].sort(), outdated: expected.outdated, revision: head.revision },
  );
  await compareReviews(real, request);
  await compareContributors(real, request);
  const comments = await itemsOf(real, `${path}/comments`);
  const open = (one: Record<string, unknown>) => `${String(one['id'])} ${String(one['status'])}`;
  const wanted = request.comments.map(({ id, isOpen }) => `${id} ${isOpen ? 'open' : 'resolved'}`);
  deepStrictEqual(comments.map(open).sort(), wanted.sort());
}

function pickFrom(from: Record<string, unknown>, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

async function compareReviews(real: Real, { path, reviews, requested, head }: ModelRequest): Promise<void> {
  const id = (name: Name): string => real.people[name].id;
  const shown = (await itemsOf(real, `${path}/reviews`)).map((review) => [
    get(review, 'reviewer.id'),
    review['status'],
    review['outdated'],
  ]);
  deepStrictEqual(
    shown,
    reviews.map(({ by, status, revision }) => [id(by), status, revision !== head.revision]),
  );
  const asked = await itemsOf(real, `${path}/requested-reviewers`);
  deepStrictEqual(
    asked.map((one) => [get(one, 'user.id'), get(one, 'requestedBy.id')]),
    [...requested].map(([other, by]) => [id(other), id(by)]),
  );
}

async function compareContributors(real: Real, { path, contributions }: ModelRequest): Promise<void> {
  const shown = await itemsOf(real, `${path}/contributors`);
  const names = new Map(Object.entries(real.people).map(([name, { id }]) => [id, name]));
  const found = shown.map(({ user, actionType, count }) => [
    `${names.get(String((user as { id: string }).id)) ?? ''} ${String(actionType)}`,
    count,
  ]);
  deepStrictEqual(found.sort(byText), [...contributions].sort(byText));
}

function byText(one: unknown, other: unknown): number {
  return String(one) < String(other) ? -1 : 1;
}

const every = ['draft', 'open', 'archived', 'merged'] as const;

/** Lists of the space, and of its organization, with each filter. */
async function compareLists(model: Model, real: Real): Promise<void> {
  const { requests, path, isDeleted } = model;
  const all = every.map((status) => `status=${status}`).join('&');
  const numbers = async (filter: string, place = path) =>
    (await itemsOf(real, `${place}/change-requests?${filter}`)).map(({ id }) => String(id)).sort();
  const those = (is: (request: ModelRequest) => boolean) =>
    requests
      .filter(is)
      .map(({ id }) => id)
      .sort();
  for (const status of every)
    deepStrictEqual(
      await numbers(`status=${status}`),
      those((one) => one.status === status),
    );
  const { id, name } = { id: real.people.ann.id, name: 'ann' as const };
  const changed = (one: ModelRequest) => [...one.contributions.keys()].some((key) => key.startsWith(`${name} `));
  deepStrictEqual(
    await numbers(`${all}&creator=${id}`),
    those(({ author }) => author === name),
  );
  deepStrictEqual(await numbers(`${all}&contributor=${id}`), those(changed));
  deepStrictEqual(
    await numbers(`${all}&requestedReviewer=${id}`),
    those(({ requested }) => requested.has(name)),
  );
  const space = path.slice('/spaces/'.length);
  const ofOrganization = await numbers(`${all}&space=${space}`, `/orgs/${real.rig.organization}`);
  deepStrictEqual(ofOrganization, isDeleted ? [] : those(() => true));
}
