import { defineDomain } from '@scriptorium/platform';
import { CustomizationController } from './customization.controller.js';
import { changedLooksReactor, removedSiteSpacesReactor } from './customization.reactor.js';

/** How sites look. */
export const customizationDomain = defineDomain({
  name: 'customization',
  controllers: [CustomizationController],
  reactors: ({ context }) => [removedSiteSpacesReactor, changedLooksReactor(context)],
});
