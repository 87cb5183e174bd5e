import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { AllContentController } from './listing/all-content.controller.js';
import { grantReactors, grantControllers } from '../grants/index.js';
import { spacesAccess } from './access.js';
import { siteShowings } from './sites/site-showing.projection.js';
import { spaceCounts } from './listing/space-count.projection.js';
import { spaces as spaceDocs } from './space.projection.js';
import { SpaceSettingsController } from './settings/settings.controller.js';
import { SpacesController } from './spaces.controller.js';
import { spaceGranting } from './granting.js';
import { ContentObjects } from '../../versions/index.js';
import { newSpacesReactor } from './creation/spaces.reactor.js';

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
