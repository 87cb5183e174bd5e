import { defineDomain } from '@scriptorium/platform';
import { AdaptiveSchemaController } from './adaptive.controller.js';

/** The claims of visitors that the conditions of a site may use. */
export const adaptive = defineDomain({ name: 'adaptive', controllers: [AdaptiveSchemaController] });
