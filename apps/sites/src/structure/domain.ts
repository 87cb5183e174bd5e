import { defineDomain } from '@scriptorium/platform';
import { SiteSectionGroupsController } from './section-groups.controller.js';
import { SiteSectionsController } from './sections.controller.js';
import { SiteSpacesController } from './site-spaces.controller.js';
import { SiteStructureController } from './structure.controller.js';
import { purgedSpacesReactor } from './structure.reactor.js';

/** What stands on sites: their spaces, sections and section groups. */
export const structure = defineDomain({
  name: 'structure',
  controllers: [SiteSpacesController, SiteSectionsController, SiteSectionGroupsController, SiteStructureController],
  reactors: () => [purgedSpacesReactor],
});
