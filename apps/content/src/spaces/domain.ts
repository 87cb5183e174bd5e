import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { AllContentController } from '../all-content/all-content.controller.js';
import { grantReactors, grantControllers } from '../grants/index.js';
import { spacesAccess } from './access.js';
import { siteShowings } from './site-showing.projection.js';
import { spaceCounts } from './space-count.projection.js';
import { spaces as spaceDocs } from './space.projection.js';
import { SpaceSettingsController } from './settings.controller.js';
import { SpacesController } from './spaces.controller.js';
import { spaceGranting } from './granting.js';
import { ContentObjects } from '../objects/index.js';
import { newSpacesReactor } from './spaces.reactor.js';

/** Spaces: settings, grants, deletion. */
export const spaces = defineDomain({
  name: 'spaces',
  controllers: [SpacesController, SpaceSettingsController, AllContentController, ...grantControllers(spaceGranting)],
  projections: [spaceDocs, spaceCounts, siteShowings],
  reactors: ({ context, use }) => [
    ...grantReactors(spaceGranting, use(ServiceAccess), context.limits),
    newSpacesReactor(use(ContentObjects)),
  ],
  resolvers: ({ use }) => spacesAccess(use(ServiceAccess)),
});
