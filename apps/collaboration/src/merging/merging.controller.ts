import { ServiceAccess } from '@scriptorium/access';
import {
  getChangeRequestUpdateStatus,
  mergeChangeRequest,
  updateChangeRequest,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { requireRequest } from '../change-requests/index.js';
import { requireSpace } from '../spaces/index.js';
import { mergeRequest } from './merge-request.process.js';
import { updateFromSpace, updateStatus } from './update-request.process.js';

@Controller()
export class MergingController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(getChangeRequestUpdateStatus)
  async status({ params }: InputOf<typeof getChangeRequestUpdateStatus>, call: Call) {
    return updateStatus(call, params);
  }

  @Handles(updateChangeRequest)
  async update({ params }: InputOf<typeof updateChangeRequest>, call: Call) {
    return updateFromSpace(call, params);
  }

  @Handles(mergeChangeRequest)
  async merge({ params: { spaceId, changeRequestId } }: InputOf<typeof mergeChangeRequest>, call: Call) {
    const space = await requireSpace(call, this.access, call.principal, spaceId);
    const { _id: id } = await requireRequest(call, spaceId, changeRequestId);
    return mergeRequest(call, this.access, space, id);
  }
}
