import { defineDomain } from '@scriptorium/platform';
import { partAccess, samlProviders } from '../organization-read-models/index.js';
import { recordRecovery } from './providers/record-recovery.process.js';
import { SAMLProvidersController } from './providers/saml-providers.controller.js';
import { SSOController } from './providers/sso.controller.js';
import { UpdateOrganizationController } from './providers/update-organization.controller.js';
import { samlIndexes } from './saml/requests.operational.js';
import { SAMLController } from './saml/saml.controller.js';
import { defaultTeamReactor } from './saml/saml.reactor.js';
import { samlSettings, SignaturePolicy } from './saml/saml.settings.js';

/** The SAML providers of organizations, signing in through them, and the enforcement of single sign-on. */
export const singleSignOn = defineDomain({
  name: 'single-sign-on',
  settings: samlSettings,
  controllers: [SAMLProvidersController, SSOController, UpdateOrganizationController, SAMLController],
  indexes: samlIndexes,
  objects: ({ settings }) => [new SignaturePolicy(settings.SAML_SIGNED)],
  reactors: ({ context }) => [defaultTeamReactor(context)],
  resolvers: () => ({
    saml_provider: ({ store }, principal, params) =>
      partAccess(store, principal, params, samlProviders, params['samlProviderId']),
  }),
  recovered: () => (call, params) => recordRecovery(call, params['organizationId'] ?? ''),
});
