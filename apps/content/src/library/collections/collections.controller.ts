import { ServiceAccess } from '@scriptorium/access';
import {
  createCollection,
  deleteCollectionById,
  getCollectionById,
  listCollectionsInOrganizationById,
  moveCollection,
  updateCollectionById,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { refuseDefaultLevel } from '../grants/index.js';
import {
  deleteCollection,
  library,
  moveNode,
  requireAdminOfSpaces,
  requireCreate,
  requireNode,
  requirePlace,
} from '../nodes/index.js';
import { collection, configure } from './collection.js';
import { getCollection, listCollections } from './collections.queries.js';
import { createInLibrary } from './create-collection.process.js';

@Controller()
export class CollectionsController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(listCollectionsInOrganizationById)
  async list({ params, query }: InputOf<typeof listCollectionsInOrganizationById>, call: Call) {
    const place = await requirePlace(call, this.access, params.organizationId);
    const filter = { ...query, operation: call.operation };
    // What is still there depends on the time, too.
    if (query.deleted) return listCollections(call, this.access, place, filter);
    return call.cached({ of: [params, query, place] }, (scope) => listCollections(scope, this.access, place, filter));
  }

  @Handles(createCollection)
  async create({ params, body = {} }: InputOf<typeof createCollection>, call: Call) {
    const { title, parent = null } = body;
    const place = await requirePlace(call, this.access, params.organizationId);
    await requireCreate(call, this.access, place, { parent, field: 'body.parent' });
    const id = call.idFor('collection');
    await createInLibrary(call, id, { title, parent, creator: place });
    return readAfterCreate(call, () => getCollection(call, this.access, call.principal, id));
  }

  @Handles(getCollectionById)
  async get({ params }: InputOf<typeof getCollectionById>, call: Call) {
    return call.cached({ of: params }, (scope) =>
      getCollection(scope, this.access, call.principal, params.collectionId),
    );
  }

  @Handles(updateCollectionById)
  async update({ params, body }: InputOf<typeof updateCollectionById>, call: Call) {
    const { collectionId: id } = params;
    const node = await requireNode(call, this.access, call.principal, id);
    if (body.defaultLevel !== undefined)
      refuseDefaultLevel(await this.access.viewerAt(call, node.place), node, body.defaultLevel);
    await call.store.handle(collection, id, (state) => configure(state, body));
    return getCollection(call, this.access, call.principal, id);
  }

  @Handles(moveCollection)
  async move({ params, body }: InputOf<typeof moveCollection>, call: Call) {
    await moveNode(call, this.access, params.collectionId, body);
    return getCollection(call, this.access, call.principal, params.collectionId);
  }

  @Handles(deleteCollectionById)
  async remove({ params }: InputOf<typeof deleteCollectionById>, call: Call) {
    const { collectionId: id } = params;
    const { organization, place } = await requireNode(call, this.access, call.principal, id);
    const viewer = await this.access.viewerAt(call, place);
    const { events } = await call.store.handle(library, organization, (state) => {
      requireAdminOfSpaces(state, viewer, id);
      return deleteCollection(state, { collection: id });
    });
    return events.length > 0;
  }
}
