import { defineDomain } from '@scriptorium/platform';
import { ContentTokensController } from './content-tokens.controller.js';
import { AddressCache } from './lookup/address-cache.process.js';
import { PreviewController } from './preview.controller.js';
import { ResolveController } from './resolve.controller.js';
import { SiteAnnouncer } from './site.announcer.js';

/** Sites as visitors reach them: what addresses lead to, and what content tokens open. */
export const publishing = defineDomain({
  name: 'publishing',
  controllers: [ResolveController, ContentTokensController, PreviewController],
  objects: ({ context }) => [new SiteAnnouncer(context), new AddressCache(context)],
});
