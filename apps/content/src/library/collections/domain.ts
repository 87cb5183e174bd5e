import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { grantReactors, grantControllers } from '../grants/index.js';
import { collectionsAccess } from './access.js';
import { collections as collectionDocs } from './collection.projection.js';
import { CollectionsController } from './collections.controller.js';
import { collectionGranting } from './granting.js';
import { newCollectionsReactor } from './collections.reactor.js';
import { ContentObjects } from '../../versions/index.js';

/** Collections: settings, grants, deletion. */
export const collections = defineDomain({
  name: 'collections',
  controllers: [CollectionsController, ...grantControllers(collectionGranting)],
  projections: [collectionDocs],
  reactors: ({ context, use }) => [
    ...grantReactors(collectionGranting, use(ServiceAccess), context.limits),
    newCollectionsReactor(use(ContentObjects)),
  ],
  resolvers: ({ use }) => collectionsAccess(use(ServiceAccess)),
});
