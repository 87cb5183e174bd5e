import { defineDomain } from '@scriptorium/platform';
import { SiteSearchController } from './site-search.controller.js';
import { SiteTextsController } from './site-texts.controller.js';

/** Sites as they are searched, and as texts for programs. */
export const reading = defineDomain({ name: 'reading', controllers: [SiteSearchController, SiteTextsController] });
