import * as z from 'zod';

export const authBackends = ['custom', 'integration'] as const;

/**
 * Stream `sites.publishing-<site>`: how visitors of a site prove who they are. The addresses stand in this stream alone, which is
 * deleted with the site. Keys stand in no event.
 */
export const publishingEventSchemas = {
  /** Who signs visitors in. */
  SiteAuthBackendChanged: z.object({ backend: z.enum(authBackends) }),
  /** Where visitors without a token are sent to; `null`: nowhere. */
  SiteAuthFallbackChanged: z.object({ fallbackURL: z.string().nullable() }),
  /** Where visitors are sent to who sign out. */
  SiteAuthLogoutChanged: z.object({ logoutURL: z.string().nullable() }),
  /** Tokens of visitors are signed with another key from here on. `keepsPrevious`: the key before it is good for another 24 h. */
  SiteAuthKeyRotated: z.object({ secret: z.string(), version: z.int(), keepsPrevious: z.boolean() }),
};
