import { defineDomain } from '@scriptorium/platform';
import { PublishingAuthController } from './auth.controller.js';
import { authOfDeletedSites } from './deleted-sites.reactor.js';
import { endedLogins } from './ended-logins.reactor.js';
import { MemberTokenController } from './member-token.controller.js';
import { publishingAuths } from './publishing-auth.projection.js';
import { secretIndexes } from './keys/secrets.operational.js';
import { VisitorTokenRules } from './visitor-token.process.js';
import { visitorTokenSettings } from './visitor-tokens.settings.js';

/** How visitors of sites prove who they are: settings, keys, tokens. */
export const visitorAuth = defineDomain({
  name: 'visitor_auth',
  controllers: [PublishingAuthController, MemberTokenController],
  settings: visitorTokenSettings,
  objects: ({ settings }) => [new VisitorTokenRules(settings.VISITOR_TOKEN_HOURS * 3_600)],
  projections: [publishingAuths],
  reactors: ({ context }) => [authOfDeletedSites(context), ...endedLogins],
  indexes: secretIndexes,
});
