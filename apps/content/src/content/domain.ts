import { defineDomain } from '@scriptorium/platform';
import { ContentController } from './content.controller.js';
import { RevisionsController } from './revisions.controller.js';

/** The content of spaces: reading it, changing it, its history. */
export const content = defineDomain({ name: 'content', controllers: [ContentController, RevisionsController] });
