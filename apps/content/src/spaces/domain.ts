import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { spacesAccess } from './access.js';
import { spaces as spaceDocs } from './space.projection.js';
import { SpaceGrantsController } from './space-grants.controller.js';
import { SpaceSettingsController } from './settings.controller.js';
import { SpacesController } from './spaces.controller.js';
import { deletedTeamsReactor, lateGrantsReactor, newSpacesReactor, removedMembersReactor } from './spaces.reactor.js';

/** Spaces: settings, grants, deletion. */
export const spaces = defineDomain({
  name: 'spaces',
  controllers: [SpacesController, SpaceSettingsController, SpaceGrantsController],
  projections: [spaceDocs],
  reactors: ({ use }) => [
    removedMembersReactor(use(ServiceAccess)),
    deletedTeamsReactor(use(ServiceAccess)),
    lateGrantsReactor,
    newSpacesReactor,
  ],
  resolvers: ({ use }) => spacesAccess(use(ServiceAccess)),
});
