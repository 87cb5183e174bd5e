import { defineDomain } from '@scriptorium/platform';
import { ShareLinksController } from './share-links.controller.js';

/** Share links: secret addresses of sites. */
export const shareLinks = defineDomain({ name: 'share_links', controllers: [ShareLinksController] });
