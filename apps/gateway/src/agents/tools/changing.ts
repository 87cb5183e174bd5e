import type { Tool } from '@scriptorium/agents';
import { AppError, Id, text, type Client } from '@scriptorium/contracts';
import * as z from 'zod';
import { changeRequestId, spaceId, tool } from './fields.js';

const markdown = z
  .string()
  .max(524_288)
  .describe('The whole text in Markdown; as in read_page, a heading of level 1 at its beginning is the title.');
const title = text(1, 256);

const PageChange = z.discriminatedUnion('operation', [
  z.strictObject({
    operation: z.literal('insert_page'),
    title,
    markdown,
    into: Id.optional().describe('Id of the page or group to put it in; the top of the space unless given.'),
  }),
  z.strictObject({
    operation: z.literal('update_page'),
    page: Id,
    title: title.optional(),
    markdown: markdown.optional().describe('Replaces the text of the page; read the page first.'),
  }),
  z.strictObject({ operation: z.literal('delete_page'), page: Id }),
]);
type PageChange = z.output<typeof PageChange>;

const changes = z.array(PageChange).min(1).max(50).describe('Applied in their order, all of them or none.');

const createChangeRequest = tool({
  name: 'create_change_request',
  title: 'Open a change request',
  description:
    'Opens a change request of a space with changes of pages, for people to review. The main content stays as it is until they merge it.',
  input: z.strictObject({
    spaceId,
    subject: text(1, 256).describe('What it changes, in one line.'),
    description: z.string().max(65_536).optional().describe('Why, in Markdown.'),
    changes: changes.optional(),
  }),
  writes: true,
  async run(api, { spaceId: space, subject, description, changes: given }) {
    const made = await api.createChangeRequest({ params: { spaceId: space }, body: { subject } });
    const params = { spaceId: space, changeRequestId: made.id };
    try {
      const changed = given === undefined ? undefined : await change(api, params, given);
      const { id, number, status, urls } = await api.updateChangeRequestById({
        params,
        body: { status: 'open', ...(description === undefined ? {} : { description: { markdown: description } }) },
      });
      return JSON.stringify({ id, number, status, url: urls.app, changes: changed });
    } catch (error) {
      throw withDraft(error, made.number);
    }
  },
});

/** The draft stays, since its changes may be sent again; so the model has to know of it. */
function withDraft(error: unknown, number: number): unknown {
  if (!(error instanceof AppError)) return error;
  const message = `${error.message} (change request ${number} stays as a draft: send the changes with change_pages and open it there)`;
  return new AppError(error.reason, error.details, {
    message,
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
  });
}

const changePages = tool({
  name: 'change_pages',
  title: 'Change pages in a change request',
  description: 'Changes pages in a change request: inserts, replaces or deletes them. The main content stays as it is.',
  input: z.strictObject({
    spaceId,
    changeRequestId,
    changes,
    open: z.boolean().default(false).describe('Whether a draft is opened then, for people to review.'),
  }),
  writes: true,
  async run(api, { spaceId: space, changeRequestId: changeRequest, changes: given, open }) {
    const params = { spaceId: space, changeRequestId: changeRequest };
    const changed = await change(api, params, given);
    if (open) await api.updateChangeRequestById({ params, body: { status: 'open' } });
    return JSON.stringify(changed);
  },
});

async function change(api: Client, params: { spaceId: string; changeRequestId: string }, given: PageChange[]) {
  const answer = await api.changeContentInChangeRequest({ params, body: { changes: given.map(contentChange) } });
  return answer.changes;
}

function contentChange(given: PageChange, index: number) {
  if (given.operation === 'delete_page') return { operation: given.operation, page: given.page };
  const { title: name, markdown: words } = given;
  const document = words === undefined ? {} : { document: { markdown: words } };
  if (given.operation === 'update_page' && words === undefined && name === undefined)
    throw new AppError('invalid_request', [{ path: `changes[${index}]`, message: 'Needs title or markdown' }]);
  if (given.operation === 'update_page')
    return {
      operation: given.operation,
      page: given.page,
      ...document,
      ...(name === undefined ? {} : { title: name }),
    };
  return {
    operation: given.operation,
    title: given.title,
    document: { markdown: given.markdown },
    ...(given.into === undefined ? {} : { into: given.into }),
  };
}

const postComment = tool({
  name: 'post_comment',
  title: 'Comment',
  description: 'Posts a comment on a change request or on the main content of a space, on one of its pages if given.',
  input: z.strictObject({
    spaceId,
    changeRequestId: changeRequestId.optional(),
    pageId: Id.optional().describe('The page that it is about.'),
    markdown: z.string().min(1).max(65_536),
  }),
  writes: true,
  async run(api, { spaceId: space, changeRequestId: changeRequest, pageId, markdown: words }) {
    const body = { body: { markdown: words }, ...(pageId === undefined ? {} : { page: pageId }) };
    const { id, urls } =
      changeRequest === undefined
        ? await api.postCommentInSpace({ params: { spaceId: space }, body })
        : await api.postCommentInChangeRequest({ params: { spaceId: space, changeRequestId: changeRequest }, body });
    return JSON.stringify({ id, url: urls.location });
  },
});

/** The tools that store something. */
export const changing: readonly Tool<Client>[] = [createChangeRequest, changePages, postComment];
