import { deleteOrganizationById, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { close } from '../roster/memberships.js';
import { roster } from '../roster/roster.js';
import { deleteOrganization } from './delete-organization.process.js';

@Controller()
export class DeletionController {
  /** Closing the roster ends all access. If the rest fails, the reactor finishes it. */
  @Handles(deleteOrganizationById)
  async remove({ params }: InputOf<typeof deleteOrganizationById>, call: Call) {
    const id = params.organizationId;
    const { events } = await call.store.handle(roster, id, (state) => close(state, { by: call.principal.id }));
    try {
      await deleteOrganization(call, id);
    } catch (error) {
      call.logger.warn(
        { err: error, requestId: call.store.context.correlation },
        'the deletion of an organization is left to the reactor',
      );
    }
    return events.length > 0;
  }
}
