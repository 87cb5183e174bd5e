import type { SAML } from '@node-saml/node-saml';
import type { ActiveProvider } from '../providers/sso.js';
import type { ServiceAddresses } from '../../organization-read-models/index.js';
import { certificatesOf } from '../providers/certificates.process.js';
import { skewMs } from './assertion.js';
import { parseXml, type Message } from './message.js';
import { refused } from './refusals.js';

/**
 * The library and its parsers of XML are large, and few installations have a provider, so it is loaded when it is first
 * needed.
 */
const library = () => import('@node-saml/node-saml');

const identifierFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** The metadata of this service for a provider. It is the same in every answer. */
export async function metadataOf(addresses: ServiceAddresses, provider: string): Promise<string> {
  const { generateServiceProviderMetadata } = await library();
  const { entityID: issuer, acsURL: callbackUrl } = addresses;
  return generateServiceProviderMetadata({
    issuer,
    callbackUrl,
    identifierFormat,
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${provider}`,
  });
}

/** The URL to which a browser is sent to sign in. `relay`: names the request, and comes back with the response. */
export async function requestURL(
  settings: ActiveProvider,
  addresses: ServiceAddresses,
  relay: string,
): Promise<string> {
  const client = await samlClient(settings, addresses, 'both', requestId(relay));
  return client.getAuthorizeUrlAsync(relay, undefined, {});
}

export function requestId(relay: string): string {
  return `_${relay}`;
}

/** The parts of a response that have to be signed. */
export type SignedParts = 'both' | 'assertion' | 'response';

/**
 * Verifies the signature of a message and returns its assertion, read again from the signed bytes, so that nothing
 * beside them counts.
 * @throws AppError `unauthenticated`
 */
export async function verifySignature(
  { encoded }: Message,
  settings: ActiveProvider,
  addresses: ServiceAddresses,
  signed: SignedParts,
): Promise<Element> {
  const client = await samlClient(settings, addresses, signed);
  const { profile } = await client.validatePostResponseAsync({ SAMLResponse: encoded }).catch((error: unknown) => {
    throw refused(problemOf(error));
  });
  const xml = profile?.getAssertionXml?.();
  if (xml === undefined) throw refused('signature');
  return parseXml(xml);
}

function problemOf(error: unknown): 'audience' | 'time' | 'signature' {
  const text = error instanceof Error ? error.message : '';
  if (/audience/i.test(text)) return 'audience';
  return /expired|not yet valid/i.test(text) ? 'time' : 'signature';
}

async function samlClient(
  settings: ActiveProvider,
  { entityID, acsURL }: ServiceAddresses,
  signed: SignedParts,
  id = '',
): Promise<SAML> {
  const { SAML: Client } = await library();
  return new Client({
    issuer: entityID,
    audience: entityID,
    callbackUrl: acsURL,
    entryPoint: settings.ssoURL,
    idpIssuer: settings.entityID,
    idpCert: certificatesOf(settings.certificate),
    identifierFormat,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: skewMs,
    wantAssertionsSigned: signed !== 'response',
    wantAuthnResponseSigned: signed !== 'assertion',
    generateUniqueId: () => id,
  });
}
