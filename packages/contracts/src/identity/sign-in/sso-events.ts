import * as z from 'zod';
import { MemberRole } from '../../kernel/access.js';

const id = z.string();

const settings = z.object({
  label: z.string(),
  ssoURL: z.string().nullable(),
  entityID: z.string().nullable(),
  certificate: z.string().nullable(),
  /** Whether the certificate could be read when it was given. */
  certificateValid: z.boolean(),
  defaultTeam: id.nullable(),
  defaultRole: MemberRole.nullable(),
});

/** Stream `identity.sso-<organization>`: its SAML providers, and whether its members have to use one. */
export const ssoEventSchemas = {
  SAMLProviderCreated: z.object({ provider: id, settings }),
  SAMLProviderConfigured: z.object({ provider: id, settings }),
  SAMLProviderDeleted: z.object({ provider: id }),
  OrganizationSSOEnforcementEnabled: z.object({}),
  OrganizationSSOEnforcementDisabled: z.object({}),
  /** An admin without single sign-on has changed something while it was enforced. */
  SSORecoveryUsed: z.object({}),
};
