import { siteChanges } from '@scriptorium/contracts';
import { Announcer, defineDomain } from '@scriptorium/platform';
import { changedAccess } from './changed-access.reactor.js';
import { ContentTokensController } from './content-tokens.controller.js';
import { AddressCache } from './lookup/address-cache.process.js';
import { PreviewController } from './preview.controller.js';
import { RedirectTargetController } from './redirect-target.controller.js';
import { ResolveController } from './resolve.controller.js';

/** The streams on which it depends what content tokens open. */
const entities: ReadonlySet<string> = new Set(['sites.site', 'sites.publishing', 'sites.directory']);

/** Sites as visitors reach them: what addresses lead to, and what content tokens open. */
export const publishing = defineDomain({
  name: 'publishing',
  controllers: [ResolveController, ContentTokensController, PreviewController, RedirectTargetController],
  objects: ({ context }) => [
    new Announcer(context, { subject: siteChanges, changesTokens: ({ entity }) => entities.has(entity) }),
    new AddressCache(context),
  ],
  reactors: ({ use }) => [changedAccess(use(Announcer))],
});
