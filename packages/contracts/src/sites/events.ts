import * as z from 'zod';
import { MemberRole } from '../kernel/access.js';

/*
 * Events of sites that other services may consume, as they are stored: additive only. Actor, time and organization are
 * metadata. Titles, paths and other texts stand in the stream of their site alone, which is deleted with the site.
 */

const id = z.string();
const text = z.string();
const icon = z.string().nullable();
/** `null`: everybody who sees the site. */
const condition = z.string().nullable();
/** The sibling directly behind which something stands; `null` for the first one. */
const after = id.nullable();
export const siteTypes = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const;
export const siteVisibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;
export const agentsContexts = ['excluded', 'included'] as const;

/** Stream `sites.directory-<organization>`: which sites an organization has. */
export const siteDirectoryEventSchemas = {
  /** The site exists from here on; its own stream begins before that. */
  SiteAdded: z.object({
    site: id,
    /** The organization was created with it: it is what the organization shows first. */
    isDefault: z.literal(true).optional(),
  }),
  /** For good; what belongs to it is being deleted. */
  SiteDeleted: z.object({ site: id }),
  /** The organization was deleted, and all its sites with it. */
  SiteDirectoryClosed: z.object({}),
};

/** In the same stream. */
export const siteErasureEventSchemas = {
  /** Nothing is recorded any more of a site that was deleted before: its streams are gone. */
  SiteErased: z.object({ site: id }),
};

/** Stream `sites.site-<id>`: the settings of a site, and its structure. */
export const siteEventSchemas = {
  SiteCreated: z.object({
    organization: id,
    title: text,
    type: z.enum(siteTypes),
    visibility: z.enum(siteVisibilities),
    basename: text,
  }),
  SiteRenamed: z.object({ title: text }),
  SiteVisibilityChanged: z.object({ visibility: z.enum(siteVisibilities) }),
  SiteBasenameChanged: z.object({ basename: text }),
  /** `proxy`: host and path under which another server shows the site. */
  SiteProxyChanged: z.object({ proxy: text.nullable() }),
  /** A hostname of its own, which counts once it is verified. */
  SiteHostnameChanged: z.object({ hostname: text.nullable() }),
  SiteHostnameVerified: z.object({ hostname: text }),
  SiteAdaptiveContentEnabled: z.object({}),
  SiteAdaptiveContentDisabled: z.object({}),
  SiteAdaptiveSchemaReplaced: z.object({ schema: z.record(z.string(), z.unknown()) }),
  SiteAgentsContextChanged: z.object({ agentsContext: z.enum(agentsContexts) }),
  SitePublished: z.object({}),
  SiteUnpublished: z.object({}),
  /** `section`: where it stands; `null` on a site without sections. */
  SiteSpaceAdded: z.object({ siteSpace: id, space: id, section: id.nullable(), path: text }),
  SiteSpacePathChanged: z.object({ siteSpace: id, path: text }),
  SiteSpaceConditionChanged: z.object({ siteSpace: id, condition }),
  SiteSpaceHidden: z.object({ siteSpace: id }),
  SiteSpaceShown: z.object({ siteSpace: id }),
  /** It shows another space from here on. */
  SiteSpaceReplaced: z.object({ siteSpace: id, space: id }),
  SiteSpaceMoved: z.object({ siteSpace: id, section: id.nullable(), after }),
  SiteSpaceRemoved: z.object({ siteSpace: id }),
  /** `group`: in which it stands; `null` for the top. */
  SiteSectionAdded: z.object({ section: id, title: text, path: text, icon, group: id.nullable() }),
  /** The first section of a site: it takes in all spaces that the site has. */
  SiteSpacesWrapped: z.object({ section: id, title: text, path: text }),
  SiteSectionRenamed: z.object({ section: id, title: text }),
  SiteSectionPathChanged: z.object({ section: id, path: text }),
  SiteSectionDescriptionChanged: z.object({ section: id, description: text.nullable() }),
  SiteSectionIconChanged: z.object({ section: id, icon }),
  SiteSectionConditionChanged: z.object({ section: id, condition }),
  SiteSectionMoved: z.object({ section: id, group: id.nullable(), after }),
  /** Its spaces were removed before. */
  SiteSectionRemoved: z.object({ section: id }),
  /** The last section was removed: its spaces stay on the site, which has no sections any more. */
  SiteSpacesUnwrapped: z.object({ section: id }),
  SiteSectionGroupAdded: z.object({ group: id, title: text, icon, parent: id.nullable() }),
  SiteSectionGroupRenamed: z.object({ group: id, title: text }),
  SiteSectionGroupIconChanged: z.object({ group: id, icon }),
  SiteSectionGroupMoved: z.object({ group: id, parent: id.nullable(), after }),
  /** What stands in it moves up, in its place. */
  SiteSectionGroupRemoved: z.object({ group: id }),
  SiteDefaultSectionChanged: z.object({ section: id }),
  /** The default among the spaces of a section, or of a site without sections. */
  SiteDefaultSpaceChanged: z.object({ section: id.nullable(), siteSpace: id }),
  /** Its key is made of its id, and stored nowhere. */
  ShareLinkCreated: z.object({ link: id, name: text }),
  ShareLinkRenamed: z.object({ link: id, name: text }),
  ShareLinkActivated: z.object({ link: id }),
  ShareLinkDeactivated: z.object({ link: id }),
  ShareLinkDeleted: z.object({ link: id }),
  /**
   * A new grant, or another level of one that exists. It counts during this stay of the person in the organization
   * alone.
   */
  SiteUserGrantGiven: z.object({ user: id, membership: id, level: MemberRole.nullable() }),
  SiteUserGrantRemoved: z.object({ user: id }),
  SiteTeamGrantGiven: z.object({ team: id, level: MemberRole.nullable() }),
  SiteTeamGrantRemoved: z.object({ team: id }),
};

const settings = z.record(z.string(), z.unknown());

/**
 * Stream `sites.customization-<id>`: how a site looks, or what a space of it overrides; the id is that of the site, or
 * of the site space.
 */
export const siteCustomizationEventSchemas = {
  /** `settings`: what differs from the defaults. */
  SiteCustomized: z.object({ site: id, settings }),
  SiteSpaceCustomized: z.object({ site: id, siteSpace: id, settings }),
  SiteSpaceCustomizationCleared: z.object({ site: id, siteSpace: id }),
};

const destination = z.union([
  z.object({ kind: z.literal('url'), url: text }),
  z.object({ kind: z.literal('page'), space: id.optional(), page: id }),
  z.object({ kind: z.literal('external'), url: text }),
  z.object({ kind: z.literal('site-page'), siteSpaceId: id, pageId: id }),
  z.object({ kind: z.literal('site-space'), siteSpaceId: id }),
  z.object({ kind: z.literal('site-section'), siteSectionId: id }),
]);

/** Stream `sites.redirects-<site>`: which paths of a site lead elsewhere. */
export const siteRedirectEventSchemas = {
  SiteRedirectAdded: z.object({ redirect: id, source: text, destination }),
  SiteRedirectSourceChanged: z.object({ redirect: id, source: text }),
  SiteRedirectDestinationChanged: z.object({ redirect: id, destination }),
  SiteRedirectRemoved: z.object({ redirect: id }),
};

export const authBackends = ['custom', 'integration'] as const;

/**
 * Stream `sites.publishing-<site>`: how visitors of a site prove who they are. The addresses stand in this stream
 * alone, which is deleted with the site. Keys stand in no event.
 */
export const publishingEventSchemas = {
  /**
   * Who signs visitors in. `integration`: the name of an integration, and `installation` which one signs them in; both
   * are absent where no integration does.
   */
  SiteAuthBackendChanged: z.object({
    backend: z.enum(authBackends),
    integration: text.optional(),
    installation: id.optional(),
    /** The integration has ended, and nobody has said who signs visitors in instead. */
    hasEnded: z.literal(true).optional(),
  }),
  /** Where visitors without a token are sent to; `null`: nowhere. */
  SiteAuthFallbackChanged: z.object({ fallbackURL: z.string().nullable() }),
  /** Where visitors are sent to who sign out. */
  SiteAuthLogoutChanged: z.object({ logoutURL: z.string().nullable() }),
  /**
   * Tokens of visitors are signed with another key from here on. `keepsPrevious`: the key before it is good for another
   * 24 h.
   */
  SiteAuthKeyRotated: z.object({ secret: z.string(), version: z.int(), keepsPrevious: z.boolean() }),
};
