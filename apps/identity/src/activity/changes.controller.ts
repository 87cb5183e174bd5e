import { listOrganizationChanges, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { listChanges } from './changes.queries.js';

@Controller()
export class ChangesController {
  @Handles(listOrganizationChanges)
  list({ params, query }: InputOf<typeof listOrganizationChanges>, call: Call) {
    return listChanges(call, {
      organization: params.organizationId,
      principal: call.principal,
      after: query.after,
      limit: query.limit,
    });
  }
}
