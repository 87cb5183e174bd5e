import { startIdentityProvider, type TestProvider } from './identity-provider.js';
import type { Rig } from './rig.js';
import { metadataOver } from './sso-visitor.js';

/** A resource of SCIM, a list or an error, as far as specs look at it. */
export interface SCIMBody {
  [name: string]: unknown;
  id: string;
  Resources: SCIMBody[];
}

export interface SCIMReply {
  status: number;
  body: SCIMBody;
  headers: Headers;
}

/** Sends requests as the identity provider of the rig's organization, or of another one. */
export function scimClient(rig: Rig, token: string | null, organization = rig.organization) {
  return async (method: string, path: string, body?: unknown, type = 'application/scim+json'): Promise<SCIMReply> => {
    const response = await fetch(`${rig.endpoint}/scim/v2/organizations/${organization}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: (text === '' ? {} : JSON.parse(text)) as SCIMBody,
      headers: response.headers,
    };
  };
}

/** An identity provider of the rig's organization, and how it sends requests by SCIM. */
export async function startProvisioning(rig: Rig): Promise<{ idp: TestProvider; scim: ReturnType<typeof scimClient> }> {
  const org = `/orgs/${rig.organization}`;
  const idp = await startIdentityProvider(metadataOver(rig));
  await rig.send('POST', `${org}/saml`, { body: { label: 'IdP', ...idp.settings, defaultRole: 'edit' } });
  const { body } = await rig.send('POST', `${org}/scim/tokens`, { body: { label: 'IdP' } });
  return { idp, scim: scimClient(rig, String(body['token'])) };
}

/** The body of a PATCH. */
export function patchOf(...Operations: object[]): object {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations };
}
