import {
  getSitePublishingAuthById,
  regenerateSitePublishingAuthById,
  rotateSiteVisitorKey,
  updateSitePublishingAuthById,
  type InputOf,
  type PublishingAuth,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { configureAuth, publishingAuth } from './publishing-auth.js';
import { findPublishingAuth } from './publishing-auth.queries.js';
import { rotateVisitorKey, visitorKey } from './keys/visitor-keys.process.js';

/** How visitors of sites prove who they are. */
@Controller()
export class PublishingAuthController {
  @Handles(getSitePublishingAuthById)
  async get({ params }: InputOf<typeof getSitePublishingAuthById>, call: Call) {
    return show(call, params.siteId);
  }

  @Handles(updateSitePublishingAuthById)
  async update({ params, body }: InputOf<typeof updateSitePublishingAuthById>, call: Call) {
    const { siteId: site } = params;
    await call.store.within({ site }).handle(publishingAuth, site, (state) => configureAuth(state, body));
    return show(call, site);
  }

  @Handles(regenerateSitePublishingAuthById)
  async regenerate({ params }: InputOf<typeof regenerateSitePublishingAuthById>, call: Call) {
    await rotateVisitorKey(call, params.siteId, { keepsPrevious: false });
    return show(call, params.siteId);
  }

  @Handles(rotateSiteVisitorKey)
  async rotate({ params, query }: InputOf<typeof rotateSiteVisitorKey>, call: Call) {
    await rotateVisitorKey(call, params.siteId, { keepsPrevious: !query.now });
    return show(call, params.siteId);
  }
}

async function show(call: Call, site: string): Promise<PublishingAuth> {
  const { backend, fallbackURL, logoutURL, version, previous } = await findPublishingAuth(call, site);
  const privateKey = await visitorKey(call, site, version);
  return {
    object: 'publishing-auth',
    backend,
    ...(privateKey === undefined ? {} : { privateKey }),
    ...(previous === null || Date.parse(previous.until) <= call.now() ? {} : { previousKeyUntil: previous.until }),
    ...(fallbackURL === null ? {} : { fallbackURL }),
    ...(logoutURL === null ? {} : { logoutURL }),
  };
}
