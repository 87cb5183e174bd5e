import { ServiceAccess } from '@scriptorium/access';
import { listAllContentInOrganizationById, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { requirePlace } from '../../nodes/index.js';
import { listAllContent } from './all-content.queries.js';

@Controller()
export class AllContentController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(listAllContentInOrganizationById)
  async list({ params, query }: InputOf<typeof listAllContentInOrganizationById>, call: Call) {
    const place = await requirePlace(call, this.access, params.organizationId);
    const filter = { ...query, operation: call.operation };
    return call.cached({ of: [params, query, place] }, (scope) => listAllContent(scope, this.access, place, filter));
  }
}
