import { openBranch, type InputOf, type createChangeRequest } from '@scriptorium/contracts';
import { ask, type Call } from '@scriptorium/platform';
import { storeText } from '../texts/index.js';
import { changeRequest, create } from './lifecycle/change-request.js';
import type { ShownWith } from './list/change-request.render.js';
import { requireCluster } from './list/clusters.queries.js';
import { assign, numbers } from './lifecycle/numbers.js';
import { noText, type RequestText } from './request-text.process.js';

/** What was created: its text, and in a dry run what content would have made. */
interface CreatedRequest {
  text: RequestText;
  made: ShownWith['made'];
}

/**
 * Creates a change request: its stream, its branch of content, and at last its number, with which it exists. What
 * breaks off before has taken no number, and nobody sees it.
 * @throws AppError `limit_reached`, `not_found` for a template, `invalid_request` for a cluster that is none, and what
 * content refuses
 */
export async function createInSpace(
  call: Call,
  { space, id }: { space: string; id: string },
  {
    subject = '',
    template,
    conversationsIssuesCluster,
    agentTaskId,
    description = null,
  }: NonNullable<InputOf<typeof createChangeRequest>['body']> & Pick<Partial<RequestText>, 'description'>,
): Promise<CreatedRequest> {
  if (conversationsIssuesCluster !== undefined) await requireCluster(call, conversationsIssuesCluster);
  const text = { ...noText, subject, description };
  const name = subject === '' && description === null ? null : call.idFor('text');
  if (name !== null && !call.store.dry) await storeText(call, { space, owner: id, text: name }, text);
  const here = call.store.within({ space, changeRequest: id });
  const created = {
    space,
    text: name,
    bytes: Buffer.byteLength(JSON.stringify(text)),
    template: template?.id ?? null,
    conversationsIssuesCluster: conversationsIssuesCluster ?? null,
    agentTask: agentTaskId ?? null,
  };
  await here.handle(changeRequest, id, (state) => create(state, created), { isNew: true, wait: false });
  const { head, initial } = await ask(call, openBranch, {
    space,
    branch: id,
    ...(template === undefined ? {} : { template }),
  });
  const limit = call.limits.changeRequestsPerSpace;
  await here.handle(numbers, space, (state) => assign(state, { changeRequest: id, limit }));
  return { text, made: call.store.dry ? { head, initial } : undefined };
}
