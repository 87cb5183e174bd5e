import type { KeyObject } from 'node:crypto';
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
import { readCertificates, writeCertificates } from './certificates.process.js';
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
    const { label, ssoURL = null, entityID = null, defaultTeam = null, defaultRole = null } = body;
    const certificate = certificateFields(body.certificate) ?? { certificate: null, certificateValid: false };
    const settings = { label, ssoURL, entityID, ...certificate, defaultTeam, defaultRole };
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
    const change = { label, ssoURL, entityID, ...certificateFields(certificate), defaultTeam, defaultRole };
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
const longestCertificate = 10_000;

/** The fields of a certificate in a body. They are absent where the body does not name it, and null clears it. */
function certificateFields(
  given: string | null | undefined,
): { certificate: string | null; certificateValid: boolean } | undefined {
  if (given === undefined) return undefined;
  if (given === null) return { certificate: null, certificateValid: false };
  return { certificate: normalCertificate(given), certificateValid: true };
}

/**
 * The normal form of the certificates in a text.
 * @throws AppError `invalid_request` for what cannot be read, for a key that is no RSA key, and for one that is too short
 */
function normalCertificate(given: string): string {
  const certificates = readCertificates(given);
  if (certificates === null)
    throw invalid('body.certificate', 'Cannot be read: must be X.509 certificates in PEM or base64, complete');
  if (certificates.some(({ publicKey }) => !isRsa(publicKey)))
    throw invalid('body.certificate', 'Must be of an RSA key: signatures of no other kind are verified');
  if (certificates.some(({ publicKey }) => isTooShort(publicKey)))
    throw invalid('body.certificate', `An RSA key must have at least ${minBits} bits`);
  const normal = writeCertificates(certificates);
  if (normal.length > longestCertificate)
    throw invalid('body.certificate', `Must have at most ${longestCertificate} characters, in lines of 64`);
  return normal;
}

function isRsa({ asymmetricKeyType }: KeyObject): boolean {
  return asymmetricKeyType === 'rsa';
}

function isTooShort({ asymmetricKeyDetails }: KeyObject): boolean {
  return (asymmetricKeyDetails?.modulusLength ?? 0) < minBits;
}
