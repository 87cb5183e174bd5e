import { defineDomain } from '@scriptorium/platform';
import { templatesAccess } from './access.js';
import { TemplatesController } from './templates.controller.js';

/** Content to begin with. */
export const templates = defineDomain({
  name: 'templates',
  controllers: [TemplatesController],
  resolvers: () => templatesAccess,
});
