import * as z from 'zod';
import { Id } from '../kernel/common.js';
import { internalOperation } from '../kernel/operation.js';

/** Whether an integration can sign in the visitors of a site; or why not. */
const visitorLoginStates = ['ready', 'not_installed', 'scope_missing', 'pending', 'paused'] as const;
export type VisitorLoginState = (typeof visitorLoginStates)[number];

/**
 * Whether the installation of an integration, by its name, can sign in the visitors of a site of its organization.
 * `login`: the address at which it does, to which the query `location` is added: path and query on the site, without a
 * slash at the beginning. Both are absent for an integration that is not installed on the site.
 */
export const findVisitorLogin = internalOperation({
  id: 'findVisitorLogin',
  service: 'integrations',
  deadlineMs: 2_000,
  input: z.object({ organization: Id, site: Id, integration: z.string().max(100) }),
  response: z.object({
    state: z.enum(visitorLoginStates),
    installation: Id.optional(),
    login: z.url().optional(),
  }),
});

/** Characters of what a visitor wants to see once they are signed in; with more they come to the first page. */
export const longestLoginLocation = 2_000;
