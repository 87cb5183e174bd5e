import { partOf, type Tool } from '@scriptorium/agents';
import { AppError, Id, type Client, type Page } from '@scriptorium/contracts';
import * as z from 'zod';
import { changeRequestId, cursor, limit, listed, offset, query, spaceId, tool } from './fields.js';

const outlineLines = 1_000;

const organizationId = Id.describe('Id of the organization.');
const inChangeRequest = changeRequestId.optional().describe('Of this change request instead of the main content.');

const listOrganizations = tool({
  name: 'list_organizations',
  title: 'List organizations',
  description: 'Lists the organizations that you can work in.',
  input: z.strictObject({ cursor, limit }),
  writes: false,
  async run(api, { cursor, limit: most }) {
    const { items, next } = await api.listOrganizationsForAuthenticatedUser({ query: { page: cursor, limit: most } });
    return listed(
      items.map(({ id, title }) => ({ id, title })),
      next,
    );
  },
});

const listSpaces = tool({
  name: 'list_spaces',
  title: 'List spaces',
  description: 'Lists the spaces of an organization that you may view.',
  input: z.strictObject({ organizationId, cursor, limit }),
  writes: false,
  async run(api, { organizationId: organization, cursor, limit: most }) {
    const answer = await api.listSpacesInOrganizationById({
      params: { organizationId: organization },
      query: { page: cursor, limit: most },
    });
    const items = answer.items.map(({ id, title, language, urls }) => ({ id, title, language, url: urls.app }));
    return listed(items, answer.next);
  },
});

const search = tool({
  name: 'search',
  title: 'Search pages',
  description: 'Searches the pages of one space, or of all spaces of an organization. The best pages come first.',
  input: z.strictObject({
    query,
    organizationId: organizationId.optional(),
    spaceId: spaceId.optional(),
    cursor,
    limit,
  }),
  writes: false,
  async run(api, { query: words, organizationId: organization, spaceId: space, cursor, limit: most }) {
    const found = { query: { query: words, page: cursor, limit: most } };
    if (space !== undefined) {
      const { items, next } = await api.searchSpaceContent({ params: { spaceId: space }, ...found });
      return listed(items, next);
    }
    if (organization === undefined) throw missing('organizationId', 'Give organizationId or spaceId');
    const { items, next } = await api.searchOrganizationContent({ params: { organizationId: organization }, ...found });
    return listed(items, next);
  },
});

const listPages = tool({
  name: 'list_pages',
  title: 'List the pages of a space',
  description: 'Lists the pages of a space as an outline: title, path and id of each.',
  input: z.strictObject({ spaceId, changeRequestId: inChangeRequest }),
  writes: false,
  async run(api, { spaceId: space, changeRequestId: changeRequest }) {
    const { pages } =
      changeRequest === undefined
        ? await api.listPages({ params: { spaceId: space } })
        : await api.listPagesInChangeRequest({ params: { spaceId: space, changeRequestId: changeRequest } });
    const lines = outline(pages, '');
    const more = lines.length > outlineLines ? [`${lines.length - outlineLines} more pages: use search`] : [];
    return [...lines.slice(0, outlineLines), ...more].join('\n');
  },
});

function outline(pages: readonly Page[], indent: string): string[] {
  return pages.flatMap((each) => {
    const path = 'path' in each ? ` (${each.path})` : '';
    const within = 'pages' in each ? outline(each.pages, `${indent}  `) : [];
    return [`${indent}- ${each.title}${path} id=${each.id}`, ...within];
  });
}

const readPage = tool({
  name: 'read_page',
  title: 'Read a page',
  description:
    'Reads a page as Markdown, by its id or path in a space, or by its address in the application (url). Long pages are answered in parts.',
  input: z.strictObject({
    spaceId: spaceId.optional(),
    changeRequestId: inChangeRequest,
    pageId: Id.optional().describe('Id of the page.'),
    path: z.string().min(1).max(2048).optional().describe('Path of the page, as lists and searches tell it.'),
    url: z.url().max(2048).optional().describe('Address of the page in the application, instead of all others.'),
    offset,
  }),
  writes: false,
  async run(api, input) {
    const found = await pageIn(api, await placeOf(api, input));
    const head = `title: ${found.title}\nid: ${found.id}\nurl: ${found.urls.app}\n`;
    const text =
      'markdown' in found ? (found.markdown ?? '') : 'pages' in found ? outline(found.pages, '').join('\n') : '';
    return `${head}\n${partOf(text, input.offset)}`;
  },
});

interface PlaceOfPage {
  space: string;
  changeRequest: string | undefined;
  page: string | undefined;
  path: string | undefined;
}

interface PageInput {
  spaceId?: string | undefined;
  changeRequestId?: string | undefined;
  pageId?: string | undefined;
  path?: string | undefined;
  url?: string | undefined;
}

async function placeOf(api: Client, input: PageInput): Promise<PlaceOfPage> {
  if (input.url === undefined) {
    if (input.spaceId === undefined) throw missing('spaceId', 'Give url, or spaceId with pageId or path');
    const { spaceId: space, changeRequestId: changeRequest, pageId, path } = input;
    return { space, changeRequest, page: pageId, path };
  }
  const of = await api.getContentByUrl({ query: { url: input.url } });
  if (!('space' in of) || of.page === undefined) throw missing('url', 'Is not the address of a page');
  return { space: of.space.id, changeRequest: of.changeRequest?.id, page: of.page.id, path: undefined };
}

function pageIn(api: Client, { space, changeRequest, page: id, path }: PlaceOfPage): Promise<Page> {
  const format = { query: { format: 'markdown' } } as const;
  const inSpace = { spaceId: space };
  if (changeRequest === undefined) {
    if (id !== undefined) return api.getPageById({ params: { ...inSpace, pageId: id }, ...format });
    if (path !== undefined) return api.getPageByPath({ params: { ...inSpace, pagePath: path }, ...format });
  } else {
    const there = { ...inSpace, changeRequestId: changeRequest };
    if (id !== undefined) return api.getPageInChangeRequestById({ params: { ...there, pageId: id }, ...format });
    if (path !== undefined)
      return api.getPageInChangeRequestByPath({ params: { ...there, pagePath: path }, ...format });
  }
  throw missing('pageId', 'Give pageId or path');
}

/** A refusal that the API would have no words for, since it is the tool that asks for the field. */
function missing(path: string, message: string): AppError {
  return new AppError('invalid_request', [{ path, message }], { message });
}

/** The tools that find and read pages. */
export const reading: readonly Tool<Client>[] = [listOrganizations, listSpaces, search, listPages, readPage];
