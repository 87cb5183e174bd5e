import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeRequest, RequestStatus, Space } from './memory.js';

/** Reads a path; `undefined` for what is not there. */
export type Get = (path: string) => Promise<unknown>;

interface ShownRequest {
  id: string;
  number: number;
  subject: string;
  status: RequestStatus;
}

/** A merge whose process is gone is finished 90 s after it began; on a busy machine that takes some time. */
const settled = { withinMs: 150_000, everyMs: 2_000 };

const statuses = ['draft', 'open', 'archived', 'merged'] as const;

/** What a writer was promised of the change requests of a space and cannot read, in words. */
export async function requestLosses(space: Space, name: string, get: Get): Promise<string[]> {
  const path = `/v1/spaces/${space.id}`;
  const query = statuses.map((status) => `status=${status}`).join('&');
  const { items } = (await get(`${path}/change-requests?limit=1000&${query}`)) as { items: ShownRequest[] };
  const losses = [...numberLosses(space, items), ...(await countLosses(path, items, get))];
  for (const request of space.requests) {
    const found = items.find(({ id }) => id === request.id);
    losses.push(...(found === undefined ? [`${request.tag} is lost`] : await lossesOf(space, request, { found, get })));
  }
  const { items: revisions } = (await get(`${path}/revisions?limit=1000`)) as { items: { type: string }[] };
  const merges = revisions.filter(({ type }) => type === 'merge').length;
  if (space.merges.certain && merges !== space.merges.count)
    losses.push(`there are ${merges} merges instead of ${space.merges.count}`);
  return losses.map((loss) => `${name}: ${loss}`);
}

/** Each change request once, and numbers without gaps. */
function numberLosses({ requests, perhapsRequests }: Space, items: readonly ShownRequest[]): string[] {
  const numbers = items.map(({ number }) => number).sort((a, b) => a - b);
  const hasGaps = numbers.some((number, i) => number !== i + 1);
  const known = new Set(requests.map(({ id }) => id));
  const others = items.filter(({ id }) => !known.has(id)).map(({ subject }) => subject.split(' ')[0] ?? '');
  const unknown = others.filter((tag, i) => !perhapsRequests.has(tag) || others.indexOf(tag) !== i);
  return [
    ...(hasGaps ? [`change requests have the numbers ${numbers.join(', ')}`] : []),
    ...unknown.map((tag) => `there is a change request ${tag} that nobody was promised`),
  ];
}

async function countLosses(path: string, items: readonly ShownRequest[], get: Get): Promise<string[]> {
  const { changeRequests, changeRequestsOpen, changeRequestsDraft } = (await get(path)) as Record<string, number>;
  const count = (wanted: RequestStatus) => items.filter(({ status }) => status === wanted).length;
  const said = [changeRequests, changeRequestsOpen, changeRequestsDraft].join(', ');
  const right = [items.length, count('open'), count('draft')].join(', ');
  return said === right ? [] : [`the space counts ${said} change requests instead of ${right}`];
}

async function lossesOf(
  space: Space,
  request: ChangeRequest,
  { found, get }: { found: ShownRequest; get: Get },
): Promise<string[]> {
  const { tag, number, title, status } = request;
  const losses = [
    ...(found.number === number ? [] : [`${tag} has number ${found.number} instead of ${number}`]),
    ...(title.allows(found.subject) ? [] : [`${tag} has ${found.subject} instead of ${title.toString()}`]),
    ...(status.allows(found.status) ? [] : [`${tag} is ${found.status} instead of ${status.toString()}`]),
  ];
  // A merge of unknown outcome brings all pages, or none.
  if (request.restsUntil === Infinity) return [...losses, ...(await halfMerged(space, request, get))];
  if (found.status === 'merged') return losses;
  const content = `/v1/spaces/${space.id}/change-requests/${request.id}/content`;
  const pages = new Set((await pagesIn(get, content)).map(({ id }) => id));
  const written = [...request.added.map((page) => [page, page.text] as const), ...request.edited];
  for (const [page, text] of written) {
    const shown = pages.has(page.id) ? await textOf(get, content, page.id) : 'no text';
    if (!text.allows(shown)) losses.push(`${tag} has page ${page.tag} with ${shown} instead of ${text.toString()}`);
  }
  return losses;
}

async function halfMerged(space: Space, request: ChangeRequest, get: Get): Promise<string[]> {
  const { id, tag, added } = request;
  const end = performance.now() + settled.withinMs;
  for (;;) {
    const { status } = (await get(`/v1/spaces/${space.id}/change-requests/${id}`)) as ShownRequest;
    const pages = new Set((await pagesIn(get, `/v1/spaces/${space.id}/content`)).map((page) => page.id));
    const brought = added.filter((page) => pages.has(page.id)).length;
    if (brought === (status === 'merged' ? added.length : 0)) return [];
    if (performance.now() > end) return [`${tag} is ${status} and has brought ${brought} of ${added.length} pages`];
    await delay(settled.everyMs);
  }
}

/** The pages of content at a path. */
export async function pagesIn(get: Get, content: string): Promise<{ id: string; title: string }[]> {
  return ((await get(`${content}/pages`)) as { pages: { id: string; title: string }[] }).pages;
}

/** The text of a page, without its title. */
export async function textOf(get: Get, content: string, page: string): Promise<string> {
  const { markdown } = (await get(`${content}/page/${page}?format=markdown`)) as { markdown: string };
  return markdown.slice(markdown.indexOf('\n')).trim();
}
