import * as z from 'zod';

const id = z.string();

/** Stream `identity.provisioning-<organization>`: the SCIM tokens of an organization, which appear only as SHA-256. */
export const scimTokenEventSchemas = {
  SCIMTokenCreated: z.object({ token: id, label: z.string(), hash: z.string(), expiresAt: z.string().optional() }),
  SCIMTokenRevoked: z.object({ token: id }),
};
