import { listOrganizationChanges, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, type Call } from '@scriptorium/platform';
import { listChanges } from './changes.queries.js';

@Controller()
export class ChangesController {
  constructor(private readonly context: ServiceContext) {}

  @Handles(listOrganizationChanges)
  list({ params, query }: InputOf<typeof listOrganizationChanges>, { principal }: Call) {
    return listChanges(this.context, { organization: params.organizationId, principal, after: query.after, limit: query.limit });
  }
}
