import { expect } from '@jest/globals';
import {
  changeSpaceContent,
  mergeBranch,
  openBranch,
  readBranch,
  writeBranch,
  type InternalOperation,
  type TextChange,
} from '@scriptorium/contracts';
import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { connectAsker, type Asker } from './ask.js';
import type { InstallationRequest } from '@scriptorium/testing';
import { startRig, type Answer, type Rig } from './rig-with-store.js';

/** An entry of the navigation. */
export interface Listed {
  id: string;
  title: string;
  slug?: string;
  pages?: Listed[];
}

/** Changes of content. */
export const page = (title: string, markdown = '', more: object = {}) =>
  ({ operation: 'insert_page', title, document: { markdown }, ...more }) as TextChange;
export const edit = (id: string, fields: object) => ({ operation: 'update_page', page: id, ...fields }) as TextChange;
export const text = (id: string, markdown: string) => edit(id, { document: { markdown } });

export const refusal = ({ status, body: { error } }: Answer) => [status, error.reason, error.details?.[0]?.path];

/** A rig with what specs of change requests need. */
export async function startRequestRig(more?: InstallationRequest) {
  const rig = await startRig(undefined, more);
  const ask = await connectAsker(rig);
  const { token } = await rig.member('Edda Editor', 'edit');
  const stop = async () => {
    await ask.close();
    await rig.stop();
  };
  return { rig, ask, stop, ...requestsOf(rig, ask, token) };
}

function requestsOf(rig: Rig, ask: Asker, token: string) {
  /** Asks, and expects that it is not refused. */
  const done = async <I extends z.ZodType, R extends z.ZodType>(
    operation: InternalOperation<I, R>,
    input: z.input<I>,
    options?: Parameters<Asker>[2],
  ) => {
    const answer = await ask(operation, input, options);
    expect(answer).not.toHaveProperty('refused');
    return answer as z.output<R>;
  };
  const edited = async (space: string, changes: TextChange[]) => {
    const answer = await rig.send('POST', `/spaces/${space}/content`, { body: { changes } });
    expect(answer.status).toBe(200);
    return changeSpaceContent.response.parse(answer.body);
  };
  /** A space with two pages, and a change request of it. */
  const begin = async () => {
    const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, {
      body: { editMode: 'live', empty: true },
    });
    const space = String(made.body['id']);
    const { refs } = await edited(space, [
      page('A', 'One.\n\nTwo.\n\nThree.', { ref: 'a' }),
      page('B', '', { ref: 'b' }),
    ]);
    const { a = '', b = '' } = refs;
    const id = { space, branch: `cr${randomUUID().replaceAll('-', '')}` };
    await done(openBranch, id);
    const write = (changes: TextChange[], more: object = {}) =>
      done(writeBranch, { ...id, write: { ...(changes.length === 0 ? {} : { changes }), ...more } });
    const merge = (attempt: string = randomUUID()) => ask(mergeBranch, { ...id, attempt });
    const path = `/spaces/${space}/change-requests/${id.branch}`;
    return { ...id, id, a, b, write, merge, path, state: () => done(readBranch, id) };
  };
  const read = (path: string) => rig.send('GET', path, { token });
  const markdown = async (path: string, id: string) =>
    String((await read(`${path}/content/page/${id}?format=markdown`)).body['markdown']);
  const titles = async (path: string) =>
    ((await read(`${path}/content/pages`)).body['pages'] as Listed[]).map(({ title }) => title);
  return { done, edited, begin, read, markdown, titles };
}
