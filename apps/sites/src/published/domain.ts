import { defineDomain } from '@scriptorium/platform';
import { PublishedController } from './published.controller.js';
import { PublishedPdfController } from './published-pdf.controller.js';
import { SpaceAddressesController } from './space-addresses.controller.js';

/** Sites as they are shown. */
export const published = defineDomain({
  name: 'published',
  controllers: [PublishedController, PublishedPdfController, SpaceAddressesController],
});
