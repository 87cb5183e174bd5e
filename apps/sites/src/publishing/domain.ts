import { defineDomain } from '@scriptorium/platform';
import { PublishingAuthController } from './auth.controller.js';
import { ContentTokensController } from './content-tokens.controller.js';
import { publishingOfDeletedSites } from './deleted-sites.reactor.js';
import { InsightsController } from './insights.controller.js';
import { insightIndexes } from './insights.operational.js';
import { PreviewController } from './preview.controller.js';
import { publishingAuths } from './publishing-auth.projection.js';
import { ResolveController } from './resolve.controller.js';
import { secretIndexes } from './secrets.operational.js';
import { SiteAnnouncer } from './site.announcer.js';
import { SiteTextsController } from './site-texts.controller.js';
import { SiteSearchController } from './site-search.controller.js';

/** Sites as visitors reach them: what addresses lead to, who visitors are, and what content tokens open. */
export const publishing = defineDomain({
  name: 'publishing',
  controllers: [
    PublishingAuthController,
    ResolveController,
    ContentTokensController,
    PreviewController,
    SiteSearchController,
    SiteTextsController,
    InsightsController,
  ],
  projections: [publishingAuths],
  objects: ({ context }) => [new SiteAnnouncer(context)],
  reactors: ({ context }) => [publishingOfDeletedSites(context)],
  indexes: { ...secretIndexes, ...insightIndexes },
});
