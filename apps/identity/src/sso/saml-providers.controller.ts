import { X509Certificate } from 'node:crypto';
import {
  createOrganizationSAMLProvider, deleteOrganizationSAMLProvider, getOrganizationSAMLProviderById, invalid,
  listSAMLProvidersInOrganizationById, updateOrganizationSAMLProvider, type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, justMade, type Call } from '@scriptorium/platform';
import { certificatesOf } from '../saml/service-provider.js';
import { teams } from '../teams/team.projection.js';
import { configureProvider, createProvider, deleteProvider, sso } from './sso.js';
import { getProvider, listProviders } from './sso.queries.js';

@Controller()
export class SAMLProvidersController {
  constructor(private readonly context: ServiceContext) {}

  @Handles(listSAMLProvidersInOrganizationById)
  list({ params, query }: InputOf<typeof listSAMLProvidersInOrganizationById>, call: Call) {
    return listProviders(this.context, { ...query, organization: params.organizationId, operation: call.operation });
  }

  @Handles(createOrganizationSAMLProvider)
  async create({ params, body }: InputOf<typeof createOrganizationSAMLProvider>, call: Call) {
    const organization = params.organizationId;
    await this.checkTeam(organization, body.defaultTeam);
    const { label, ssoURL = null, entityID = null, certificate = null, defaultTeam = null, defaultRole = null } = body;
    const settings = { label, ssoURL, entityID, certificate, certificateValid: isCertificate(certificate), defaultTeam, defaultRole };
    const provider = this.context.idFor(call, 'saml provider');
    const limit = this.context.limits.samlProvidersPerOrganization;
    await this.context.store.handle(sso, organization, this.context.command(call, organization), (state) =>
      createProvider(state, { provider, settings, limit }),
    );
    return justMade(this.context, () => getProvider(this.context, organization, provider));
  }

  @Handles(getOrganizationSAMLProviderById)
  get({ params }: InputOf<typeof getOrganizationSAMLProviderById>) {
    return getProvider(this.context, params.organizationId, params.samlProviderId);
  }

  @Handles(updateOrganizationSAMLProvider)
  async configure({ params, body }: InputOf<typeof updateOrganizationSAMLProvider>, call: Call) {
    const { organizationId: organization, samlProviderId: provider } = params;
    await this.checkTeam(organization, body.defaultTeam);
    const { label, ssoURL, entityID, certificate, defaultTeam, defaultRole } = body;
    const certificateValid = certificate === undefined ? undefined : isCertificate(certificate);
    const change = { label, ssoURL, entityID, certificate, certificateValid, defaultTeam, defaultRole };
    await this.context.store.handle(sso, organization, this.context.command(call, organization), (state) =>
      configureProvider(state, { provider, change }),
    );
    return getProvider(this.context, organization, provider);
  }

  @Handles(deleteOrganizationSAMLProvider)
  async remove({ params }: InputOf<typeof deleteOrganizationSAMLProvider>, call: Call) {
    const { organizationId: organization, samlProviderId: provider } = params;
    const { events } = await this.context.store.handle(sso, organization, this.context.command(call, organization), (state) =>
      deleteProvider(state, { provider }),
    );
    return events.length > 0;
  }

  private async checkTeam(organization: string, id: string | null | undefined): Promise<void> {
    if (id == null) return;
    const team = await this.context.store.collection(teams).byId(id);
    if (team?.organization !== organization) throw invalid('body.defaultTeam', 'No such team in the organization');
  }
}

/** Whether this is one certificate in PEM, or several, by which signatures can be checked. */
function isCertificate(pem: string | null): boolean {
  const certificates = certificatesOf(pem ?? '');
  try {
    return certificates.length > 0 && certificates.every((one) => new X509Certificate(one).publicKey.type === 'public');
  } catch {
    return false;
  }
}
