import { X509Certificate, type KeyObject } from 'node:crypto';
import {
  createOrganizationSAMLProvider,
  deleteOrganizationSAMLProvider,
  getOrganizationSAMLProviderById,
  invalid,
  listSAMLProvidersInOrganizationById,
  updateOrganizationSAMLProvider,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { certificatesOf } from './certificates.js';
import { SpaceCounts } from '../../organizations/index.js';
import { teams } from '../../teams/index.js';
import { configureProvider, createProvider, deleteProvider, sso } from './sso.js';
import { getProvider, listProviders } from './sso.queries.js';

@Controller()
export class SAMLProvidersController {
  constructor(private readonly spaceCounts: SpaceCounts) {}

  @Handles(listSAMLProvidersInOrganizationById)
  list({ params, query }: InputOf<typeof listSAMLProvidersInOrganizationById>, call: Call) {
    return listProviders(call, this.spaceCounts, {
      ...query,
      organization: params.organizationId,
      operation: call.operation,
    });
  }

  @Handles(createOrganizationSAMLProvider)
  async create({ params, body }: InputOf<typeof createOrganizationSAMLProvider>, call: Call) {
    const organization = params.organizationId;
    await this.checkTeam(call, organization, body.defaultTeam);
    const { label, ssoURL = null, entityID = null, certificate = null, defaultTeam = null, defaultRole = null } = body;
    const settings = {
      label,
      ssoURL,
      entityID,
      certificate,
      certificateValid: isCertificate(certificate),
      defaultTeam,
      defaultRole,
    };
    const provider = call.idFor('saml provider');
    const limit = call.limits.samlProvidersPerOrganization;
    await call.store.handle(sso, organization, (state) => createProvider(state, { provider, settings, limit }));
    return readAfterCreate(call, () => getProvider(call, this.spaceCounts, organization, provider));
  }

  @Handles(getOrganizationSAMLProviderById)
  get({ params }: InputOf<typeof getOrganizationSAMLProviderById>, call: Call) {
    return getProvider(call, this.spaceCounts, params.organizationId, params.samlProviderId);
  }

  @Handles(updateOrganizationSAMLProvider)
  async configure({ params, body }: InputOf<typeof updateOrganizationSAMLProvider>, call: Call) {
    const { organizationId: organization, samlProviderId: provider } = params;
    await this.checkTeam(call, organization, body.defaultTeam);
    const { label, ssoURL, entityID, certificate, defaultTeam, defaultRole } = body;
    const certificateValid = certificate === undefined ? undefined : isCertificate(certificate);
    const change = { label, ssoURL, entityID, certificate, certificateValid, defaultTeam, defaultRole };
    await call.store.handle(sso, organization, (state) => configureProvider(state, { provider, change }));
    return getProvider(call, this.spaceCounts, organization, provider);
  }

  @Handles(deleteOrganizationSAMLProvider)
  async remove({ params }: InputOf<typeof deleteOrganizationSAMLProvider>, call: Call) {
    const { organizationId: organization, samlProviderId: provider } = params;
    const { events } = await call.store.handle(sso, organization, (state) => deleteProvider(state, { provider }));
    return events.length > 0;
  }

  private async checkTeam(call: Call, organization: string, id: string | null | undefined): Promise<void> {
    if (id == null) return;
    const team = await call.store.read(teams).byId(id);
    if (team?.organization !== organization) throw invalid('body.defaultTeam', 'No such team in the organization');
  }
}

const minBits = 2048;

/**
 * Whether a PEM text contains only certificates that can be read, at least one.
 * @throws AppError `invalid_request` for an RSA key that is too short
 */
function isCertificate(pem: string | null): boolean {
  const certificates = certificatesOf(pem ?? '').map(publicKeyOf);
  const tooShort = (key: KeyObject | null): boolean =>
    key?.asymmetricKeyType?.startsWith('rsa') === true && (key.asymmetricKeyDetails?.modulusLength ?? 0) < minBits;
  if (certificates.some(tooShort)) throw invalid('body.certificate', `An RSA key must have at least ${minBits} bits`);
  return certificates.length > 0 && certificates.every((key) => key !== null);
}

/** The public key of a certificate, or null when it cannot be read. */
function publicKeyOf(pem: string): KeyObject | null {
  try {
    return new X509Certificate(pem).publicKey;
  } catch {
    return null;
  }
}
