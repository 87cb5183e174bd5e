import type { Principal } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import * as z from 'zod';
import { answerGroups } from './groups/answer-groups.process.js';
import { listAnswer, readQuery, type SCIMAnswer } from './protocol/answers.js';
import { readAs } from './protocol/read-as.js';
import type { SCIMPlace } from './protocol/request.js';
import type { Fields } from './protocol/resource.js';
import { answerUsers } from './users/answer-users.process.js';

const schema = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

const Search = z.object({
  schemas: z.array(z.string()).refine((schemas) => schemas.includes(schema), `Must name ${schema}`),
  filter: z.string().optional(),
  startIndex: z.int().optional(),
  count: z.int().optional(),
  attributes: z.array(z.string()).optional(),
  excludedAttributes: z.array(z.string()).optional(),
});

/**
 * The query that a body of `POST …/.search` stands for (RFC 7644, section 3.4.3).
 * @throws AppError `invalidSyntax` that names the attribute
 */
export function readSearch(body: unknown): Record<string, string> {
  const { schemas: _, ...asked } = readAs(Search, body, 'invalidSyntax');
  return Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, String(value)]));
}

/** Resources of all kinds that meet a query: first users, then groups. */
export async function searchAll(
  call: Call<Principal | null>,
  place: SCIMPlace,
  query: Record<string, string>,
): Promise<SCIMAnswer> {
  const { startIndex, count } = readQuery(query);
  const list = { method: 'GET', id: undefined, body: undefined } as const;
  const users = partOf(await answerUsers(call, place, { ...list, query }));
  const rest = {
    startIndex: String(Math.max(1, startIndex - users.total)),
    count: String(count - users.resources.length),
  };
  const groups = partOf(await answerGroups(call, place, { ...list, query: { ...query, ...rest } }));
  const resources = [...users.resources, ...groups.resources];
  return listAnswer(resources, { total: users.total + groups.total, startIndex });
}

function partOf({ body }: SCIMAnswer): { total: number; resources: readonly Fields[] } {
  const { totalResults, Resources } = body as { totalResults: number; Resources: Fields[] };
  return { total: totalResults, resources: Resources };
}
