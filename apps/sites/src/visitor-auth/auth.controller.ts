import {
  getSitePublishingAuthById,
  invalid,
  regenerateSitePublishingAuthById,
  rotateSiteVisitorKey,
  updateSitePublishingAuthById,
  type InputOf,
  type PublishingAuth,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { requireLogin } from './integration-login.process.js';
import { configureAuth, publishingAuth, type PublishingAuthState } from './publishing-auth.js';
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
    const { siteId: site, organizationId: organization } = params;
    const before = await call.store.load(publishingAuth, site);
    const name = nameIn(before, body);
    const integration = name === undefined ? undefined : await requireLogin(call, { organization, site }, name);
    const change = { ...body, integration, given: body.backend !== undefined };
    await call.store.within({ site }).handle(publishingAuth, site, (state) => configureAuth(state, change));
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

type Changed = InputOf<typeof updateSitePublishingAuthById>['body'];

/** The name of the integration that is to sign visitors in, if a change says so. @throws AppError `invalid_request` */
function nameIn(before: PublishingAuthState, { backend = before.backend, integration }: Changed): string | undefined {
  if (backend === 'custom' && integration !== undefined)
    throw invalid('body.integration', 'Goes with the backend `integration`');
  if (backend === 'integration' && integration === undefined && before.integration === null)
    throw invalid('body.integration', 'Is needed: the name of the integration that signs visitors in');
  return integration;
}

async function show(call: Call, site: string): Promise<PublishingAuth> {
  const { backend, integration, fallbackURL, logoutURL, version, previous } = await findPublishingAuth(call, site);
  const privateKey = await visitorKey(call, site, version);
  return {
    object: 'publishing-auth',
    backend,
    ...(integration === null ? {} : { integration: integration.name }),
    ...(privateKey === undefined ? {} : { privateKey }),
    ...(previous === null || Date.parse(previous.until) <= call.now() ? {} : { previousKeyUntil: previous.until }),
    ...(fallbackURL === null ? {} : { fallbackURL }),
    ...(logoutURL === null ? {} : { logoutURL }),
  };
}
