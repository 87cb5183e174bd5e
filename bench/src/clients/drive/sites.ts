import { idOf, textAt } from '../official.js';
import type { World } from '../world.js';
import type { Written } from './content.js';

interface Place {
  /** The organization and the site. */
  at: readonly [string, string];
  space: string;
  page: string;
}

/** Sites: their structure, looks, visitors and addresses. */
export async function driveSites(world: World, { space, page }: Written): Promise<void> {
  const { call, organization } = world;
  const site = idOf(
    await call('createSite', organization, { title: 'Manuals', visibility: 'public', spaces: [space] }),
  );
  await call('createSite', organization, {});
  const place: Place = { at: [organization, site], space, page };
  await call('listSites', organization, { limit: 1 });
  await call('listSites', organization, { space, title: 'man', published: false });
  await call('getSiteById', ...place.at);
  await call('updateSiteById', ...place.at, {
    title: 'All manuals',
    basename: `manuals-${site.slice(-6).toLowerCase()}`,
  });
  await call('updateSiteById', ...place.at, { adaptiveContent: { enabled: true }, agentsContext: 'included' });
  await structure(world, place);
  await looks(world, place);
  await visitors(world, place);
  await published(world, place);
  await grants(world, place);
  await call('unpublishSite', ...place.at);
  const gone = idOf(await call('createSite', organization, { title: 'To be deleted' }));
  await call('deleteSiteById', organization, gone);
  await call('deleteSiteById', organization, gone);
}

async function structure({ call, organization }: World, { at }: Place): Promise<void> {
  const another = async (title: string) => idOf(await call('createSpace', organization, { title }));
  const spaceId = await another('Second');
  const section = idOf(await call('addSectionToSite', ...at, { spaceId, title: 'Second section', icon: 'book' }));
  const third = idOf(await call('addSectionToSite', ...at, { spaceId: await another('Third') }));
  const variant = await call('addSpaceToSite', ...at, { spaceId: await another('Variant'), sectionId: section });
  await call('updateSiteSectionById', ...at, section, {
    title: 'Renamed',
    path: 'renamed',
    description: 'All',
    icon: null,
  });
  await call('updateSiteSectionById', ...at, section, { condition: 'visitor.claims.unsigned.beta != true' });
  await call('updateSiteSpaceById', ...at, idOf(variant), { path: 'variant' });
  const copy = idOf(await call('duplicateSiteSpace', ...at, idOf(variant)));
  const group = idOf(await call('addSectionGroupToSite', ...at, { title: 'More', icon: 'star', sections: [third] }));
  await call('addSectionToGroup', ...at, group, { sectionId: section });
  await call('updateSiteSectionGroupById', ...at, group, { title: 'Even more', icon: null });
  await call('listSiteSectionGroups', ...at, {});
  await call('getSiteStructure', ...at);
  await call('removeSectionFromGroup', ...at, group, section);
  await call('moveSiteSectionGroup', ...at, group, { position: { before: { type: 'site-section', id: section } } });
  await call('sortSiteStructure', ...at, {
    item: { type: 'site-section', id: section },
    position: { before: { type: 'site-section-group', id: group } },
  });
  const sections = await call('listSiteSections', ...at, {});
  await call('moveSiteSection', ...at, section, {
    position: { after: { type: 'site-section', siteSection: textAt(sections, 'items.0.id') } },
  });
  const spaces = await call('listSiteSpaces', ...at, {});
  await call('listSiteSpaces', ...at, { default: true });
  await call('moveSiteSpace', ...at, copy, { position: { before: { type: 'site-space', siteSpace: idOf(variant) } } });
  await call('getSiteSpaceCustomizationById', ...at, textAt(spaces, 'items.0.id'));
  await call('deleteSiteSpaceById', ...at, idOf(variant));
  await call('deleteSiteSectionById', ...at, third);
  await call('deleteSiteSectionGroupById', ...at, group);
  await call('getSiteStructure', ...at);
}

async function looks({ call }: World, { at }: Place): Promise<void> {
  const siteSpace = textAt(await call('listSiteSpaces', ...at, {}), 'items.0.id');
  const current = await call('getSiteCustomizationById', ...at);
  await call('updateSiteCustomizationById', ...at, current);
  await call('getSiteCustomizationById', ...at, { unmasked: true });
  await call('overrideSiteSpaceCustomizationById', ...at, siteSpace, {
    title: 'Variant',
    announcement: { enabled: true, message: 'News', style: 'info' },
  });
  await call('getSiteSpaceCustomizationById', ...at, siteSpace);
  await call('deleteSiteSpaceCustomizationById', ...at, siteSpace);
  await call('deleteSiteSpaceCustomizationById', ...at, siteSpace);
}

async function visitors({ call }: World, { at }: Place): Promise<void> {
  const claim = (description: string) => ({ type: 'boolean', description });
  await call('updateSiteAdaptiveSchema', ...at, {
    jsonSchema: {
      type: 'object',
      properties: {
        beta: claim('Sees what is new'),
        unsigned: {
          type: 'object',
          description: 'Unsigned claims of the site visitor.',
          properties: { beta: claim('Wants to see what is new') },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  });
  await call('getSiteAdaptiveSchema', ...at);
  await call('listSiteAdaptiveTemplateConditions', ...at);
  await call('updateSitePublishingAuthById', ...at, { backend: 'custom', fallbackURL: 'https://example.org/login' });
  await call('getSitePublishingAuthById', ...at);
  await call('regenerateSitePublishingAuthById', ...at);
  const link = idOf(await call('createSiteShareLink', ...at, { name: 'Partners' }));
  await call('listSiteShareLinks', ...at, {});
  await call('updateSiteShareLinkById', ...at, link, { name: 'Friends', active: false });
  await call('deleteSiteShareLinkById', ...at, link);
  await call('deleteSiteShareLinkById', ...at, link);
}

async function published({ call, organization, withToken }: World, { at, space, page }: Place): Promise<void> {
  await call('publishSite', ...at);
  const site = await call('getSiteById', ...at);
  await call('getSpaceById', space);
  await call('listSites', organization, { published: true });
  await call('getPublishedContentSite', ...at);
  await call('listSiteSpaces', ...at, {});
  const siteSpace = textAt(await call('listSiteSpaces', ...at, { default: true }), 'items.0.id');
  await call('getSitePublishingPreviewById', ...at, { siteSpace });
  const url = textAt(site, 'urls.published');
  await call('resolvePublishedContentByUrl', { url, visitor: { unsignedClaims: { beta: true } } });
  const resolved = await call('resolvePublishedContentByUrl', { url: `${url}guides/use-it` });
  await call('getPublishedContentByUrl', { url });
  await call('getPublishedContentByUrl', { url: 'http://nowhere.sites.localhost/', redirectOnError: true });
  await call('searchSiteContent', ...at, { query: 'install', scope: { mode: 'default' } }, { limit: 5 });
  await call('searchSiteContent', ...at, { query: 'install', mode: 'all' });
  await redirects(call, { at, siteSpace, page });
  const visitor = withToken(textAt(resolved, 'apiToken'));
  await visitor('trackEventsInSiteById', ...at, { events: [event({ url, siteSpace, space, page })] });
  await reads(visitor, { at, space, page });
  await call('getSiteCustomizationById', ...at);
}

/** What a renderer reads for a visitor. */
async function reads(visitor: World['call'], { at, space, page }: Place): Promise<void> {
  await visitor('getPublishedContentSite', ...at);
  await visitor('getSpaceById', space);
  await visitor('getCurrentRevision', space);
  await visitor('getPageById', space, page, { format: 'document' });
  await visitor('searchSiteContent', ...at, { query: 'install', scope: { mode: 'all' } });
}

function event({ url, siteSpace, space, page }: Record<'url' | 'siteSpace' | 'space' | 'page', string>) {
  const [siteSection, siteShareKey, revision] = [null, null, null];
  const session = {
    sessionId: 'session',
    visitorId: 'visitor',
    userAgent: 'Firefox',
    language: 'en',
    cookies: {},
    referrer: null,
  };
  const location = { url, siteSection, siteSpace, siteShareKey, space, revision, page };
  return { type: 'page_view', session, location };
}

async function redirects(
  call: World['call'],
  { at, siteSpace, page }: Pick<Place, 'at' | 'page'> & { siteSpace: string },
) {
  const destination = { kind: 'site-page', siteSpaceId: siteSpace, pageId: page };
  const redirect = idOf(await call('createSiteRedirect', ...at, { source: '/old', destination }));
  const section = textAt(await call('listSiteSections', ...at, {}), 'items.0.id');
  const toSection = { kind: 'site-section', siteSectionId: section };
  await call('createSiteRedirect', ...at, { source: '/section', destination: toSection });
  await call('createSiteRedirect', ...at, {
    source: '/variant',
    destination: { kind: 'site-space', siteSpaceId: siteSpace },
  });
  await call('listSiteRedirects', ...at, { search: 'old' });
  await call('updateSiteRedirectById', ...at, redirect, { source: '/older' });
  await call('getSiteRedirectBySource', ...at, { source: '/older' });
  await call('deleteSiteRedirectById', ...at, redirect);
  await call('deleteSiteRedirectById', ...at, redirect);
}

async function grants({ call, people, organization }: World, { at }: Place): Promise<void> {
  const team = idOf(await call('createOrganizationTeam', organization, { title: 'Publishers' }));
  await call('inviteToSite', ...at, { users: [people.editor.id], role: 'edit' });
  await call('inviteToSite', ...at, { teams: [team], role: 'read' });
  await call('listUserPermissionsInSite', ...at, {});
  await call('listTeamPermissionsInSite', ...at, {});
  await call('updateUserPermissionInSite', ...at, people.editor.id, { role: 'admin' });
  await call('updateTeamPermissionInSite', ...at, team, { role: 'edit' });
  await call('listPermissionsAggregateInSite', ...at, {});
  await call('removeUserFromSite', ...at, people.editor.id);
  await call('removeTeamFromSite', ...at, team);
}
