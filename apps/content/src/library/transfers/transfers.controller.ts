import { ServiceAccess } from '@scriptorium/access';
import { transferCollection, transferSpace, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { getCollection } from '../collections/index.js';
import { ContentObjects } from '../../versions/index.js';
import { getSpace } from '../spaces/index.js';
import { transferNode } from './transfer-node.process.js';

/** Transfers of spaces and collections. */
@Controller()
export class TransfersController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly objects: ContentObjects,
  ) {}

  @Handles(transferSpace)
  async space({ params, body }: InputOf<typeof transferSpace>, call: Call) {
    const { access, objects } = this;
    await transferNode(call, { access, objects }, params.spaceId, body);
    return getSpace(call, access, call.principal, params.spaceId);
  }

  @Handles(transferCollection)
  async collection({ params, body }: InputOf<typeof transferCollection>, call: Call) {
    const { access, objects } = this;
    await transferNode(call, { access, objects }, params.collectionId, body);
    return getCollection(call, access, call.principal, params.collectionId);
  }
}
