import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { collectionsAccess } from './access.js';
import { CollectionGrantsController } from './collection-grants.controller.js';
import { collections as collectionDocs } from './collection.projection.js';
import { CollectionsController } from './collections.controller.js';
import {
  deletedTeamsReactor,
  newCollectionsReactor,
  lateGrantsReactor,
  removedMembersReactor,
} from './collections.reactor.js';

/** Collections: settings, grants, deletion. */
export const collections = defineDomain({
  name: 'collections',
  controllers: [CollectionsController, CollectionGrantsController],
  projections: [collectionDocs],
  reactors: ({ use }) => [
    removedMembersReactor(use(ServiceAccess)),
    deletedTeamsReactor(use(ServiceAccess)),
    lateGrantsReactor,
    newCollectionsReactor,
  ],
  resolvers: ({ use }) => collectionsAccess(use(ServiceAccess)),
});
