import { answerSCIM, AppError, reasonStatus, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { baseURL } from './base-url.js';
import { answerGroups } from './groups/answer-groups.process.js';
import { errorAnswer, listAnswer, type SCIMAnswer } from './protocol/answers.js';
import { detailOf, scimTypeOf } from './protocol/refusal.js';
import type { SCIMPlace } from './protocol/request.js';
import type { Fields } from './protocol/resource.js';
import { resourceTypes, schemas, serviceProviderConfig } from './protocol/service.js';
import { readSearch, searchAll } from './search.process.js';
import { answerUsers } from './users/answer-users.process.js';

export type SCIMRequest = z.output<(typeof answerSCIM)['input']>;

/** Answers the requests by SCIM of identity providers. */
@Controller()
export class SCIMController {
  @Handles(answerSCIM)
  async answer(request: SCIMRequest, call: Call<Principal | null>): Promise<SCIMAnswer> {
    try {
      return await answer(request, call);
    } catch (error) {
      // What only says that the service is in trouble is for the gateway to tell.
      if (!(error instanceof AppError) || reasonStatus[error.reason] >= 500) throw error;
      return errorAnswer(reasonStatus[error.reason], detailOf(error), scimTypeOf(error));
    }
  }
}

function answer(request: SCIMRequest, call: Call<Principal | null>): SCIMAnswer | Promise<SCIMAnswer> {
  const { params, method, path } = request;
  const { principal } = call;
  if (principal?.kind !== 'provisioner') throw new AppError('forbidden', [], { message: 'SCIM needs a SCIM token' });
  const { organizationId: organization } = params;
  if (principal.organization !== organization)
    throw new AppError('not_found', [], { message: 'The token is one of another organization' });
  const place = { organization, base: baseURL(call.urls, organization) };
  if (path.at(-1) === '.search') return search(request, call, place);
  const [kind, id, ...more] = path;
  if (more.length > 0) throw new AppError('not_found');
  if (kind === 'Users') return answerUsers(call, place, { ...request, id });
  if (kind === 'Groups') return answerGroups(call, place, { ...request, id });
  const described = describe(kind, id, place.base);
  if (described === undefined) throw new AppError('not_found', [], { message: 'There is no such path' });
  if (method !== 'GET') throw new AppError('method_not_allowed');
  return described;
}

/** Answers a query that is sent as a body. */
function search(
  { method, path, body }: SCIMRequest,
  call: Call<Principal | null>,
  place: SCIMPlace,
): Promise<SCIMAnswer> {
  const [kind, ...more] = path.slice(0, -1);
  const list = { method: 'GET', id: undefined, body: undefined } as const;
  const answers = { Users: answerUsers, Groups: answerGroups };
  if (more.length > 0 || (kind !== undefined && !Object.hasOwn(answers, kind))) throw new AppError('not_found');
  if (method !== 'POST') throw new AppError('method_not_allowed');
  const query = readSearch(body);
  if (kind === undefined) return searchAll(call, place, query);
  return answers[kind as keyof typeof answers](call, place, { ...list, query });
}

/** What the service says of itself; undefined for another path. */
function describe(kind: string | undefined, id: string | undefined, base: string): SCIMAnswer | undefined {
  if (kind === 'ServiceProviderConfig' && id === undefined) return { status: 200, body: serviceProviderConfig(base) };
  const all = kind === 'ResourceTypes' ? resourceTypes(base) : kind === 'Schemas' ? schemas(base) : undefined;
  if (all === undefined) return undefined;
  if (id === undefined) return listAnswer(all, { total: all.length, startIndex: 1 });
  const body: Fields | undefined = all.find((each) => each['id'] === id);
  return body === undefined ? undefined : { status: 200, body };
}
