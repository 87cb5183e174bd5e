/**
 * The URLs of this service for one provider. Each provider has its own, so that a response for one is refused by
 * another.
 */
export interface ServiceAddresses {
  entityID: string;
  acsURL: string;
  startURL: string;
}

/** The URLs for a provider. `urls.api`: URL of the API including `/v1`. */
export function addressesOf({ urls }: { urls: { api: string } }, provider: string): ServiceAddresses {
  const entityID = `${urls.api}/sso/saml/${provider}`;
  return { entityID, acsURL: `${entityID}/acs`, startURL: `${entityID}/start` };
}
