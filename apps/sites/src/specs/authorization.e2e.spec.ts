import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  answersOf,
  createSpaceCallers,
  operationsOf,
  readAuthorizationTable,
  spaceCallers,
  type SpaceCallers,
} from '@scriptorium/testing';
import { startRig, type Rig } from '../test/rig.js';

/*
 * Who may do what, written from the contract documents, not from the code. `granted` and `teamed` are guests of the
 * organization: the site has granted `read` to the one and `create` to a team of the other. The operator is no member.
 */
const table = `
  operation                           anonymous stranger removed operator guest granted teamed read comment edit review create admin
  listSites                           401       404      404     404      200   200     200    200  200     200  200    200    200
  createSite                          401       404      404     404      403   403     403    403  403     403  403    201    201
  getSiteById                         401       404      404     404      404   200     200    200  200     200  200    200    200
  updateSiteById                      401       404      404     404      404   403     403    403  403     403  403    403    200
  deleteSiteById                      401       404      404     404      204   403     403    403  403     403  403    403    205
  verifySiteHostname                  401       404      404     404      404   403     403    403  403     403  403    403    404
  publishSite                         401       404      404     404      404   403     403    403  403     403  403    403    200
  unpublishSite                       401       404      404     404      404   403     403    403  403     403  403    403    200
  getSiteStructure                    401       404      404     404      404   200     200    200  200     200  200    200    200
  sortSiteStructure                   401       404      404     404      404   403     200    403  403     403  403    200    200
  listSiteSpaces                      401       404      404     404      404   200     200    200  200     200  200    200    200
  addSpaceToSite                      401       404      404     404      404   403     404    403  403     403  403    201    201
  updateSiteSpaceById                 401       404      404     404      404   403     200    403  403     403  403    200    200
  deleteSiteSpaceById                 401       404      404     404      404   403     205    403  403     403  403    205    205
  duplicateSiteSpace                  401       404      404     404      404   403     404    403  403     403  403    201    201
  moveSiteSpace                       401       404      404     404      404   403     200    403  403     403  403    200    200
  listSiteSections                    401       404      404     404      404   200     200    200  200     200  200    200    200
  addSectionToSite                    401       404      404     404      404   403     404    403  403     403  403    201    201
  updateSiteSectionById               401       404      404     404      404   403     200    403  403     403  403    200    200
  deleteSiteSectionById               401       404      404     404      404   403     205    403  403     403  403    205    205
  moveSiteSection                     401       404      404     404      404   403     200    403  403     403  403    200    200
  listSiteSectionGroups               401       404      404     404      404   200     200    200  200     200  200    200    200
  addSectionGroupToSite               401       404      404     404      404   403     201    403  403     403  403    201    201
  updateSiteSectionGroupById          401       404      404     404      404   403     200    403  403     403  403    200    200
  deleteSiteSectionGroupById          401       404      404     404      404   403     205    403  403     403  403    205    205
  addSectionToGroup                   401       404      404     404      404   403     201    403  403     403  403    201    201
  removeSectionFromGroup              401       404      404     404      404   403     205    403  403     403  403    205    205
  moveSiteSectionGroup                401       404      404     404      404   403     200    403  403     403  403    200    200
  listSiteShareLinks                  401       404      404     404      404   403     403    403  403     403  403    403    200
  createSiteShareLink                 401       404      404     404      404   403     403    403  403     403  403    403    201
  updateSiteShareLinkById             401       404      404     404      404   403     403    403  403     403  403    403    200
  deleteSiteShareLinkById             401       404      404     404      404   403     403    403  403     403  403    403    205
  getSiteAdaptiveSchema               401       404      404     404      404   200     200    200  200     200  200    200    200
  updateSiteAdaptiveSchema            401       404      404     404      404   403     403    403  403     403  403    403    200
  listSiteAdaptiveTemplateConditions  401       404      404     404      404   200     200    200  200     200  200    200    200
  getPublishedContentSite             401       404      404     404      404   200     200    200  200     200  200    200    200
  getPublishedPdf                     401       403      403     403      403   403     403    403  403     403  403    403    403
  getSiteCustomizationById            401       404      404     404      404   200     200    200  200     200  200    200    200
  updateSiteCustomizationById         401       404      404     404      404   403     403    403  403     403  403    403    200
  getSiteSpaceCustomizationById       401       404      404     404      404   200     200    200  200     200  200    200    200
  overrideSiteSpaceCustomizationById  401       404      404     404      404   403     403    403  403     403  403    403    200
  deleteSiteSpaceCustomizationById    401       404      404     404      404   403     403    403  403     403  403    403    205
  listSiteRedirects                   401       404      404     404      404   403     403    403  403     403  403    403    200
  createSiteRedirect                  401       404      404     404      404   403     403    403  403     403  403    403    201
  updateSiteRedirectById              401       404      404     404      404   403     403    403  403     403  403    403    200
  deleteSiteRedirectById              401       404      404     404      404   403     403    403  403     403  403    403    205
  getSiteRedirectBySource             401       404      404     404      404   200     200    200  200     200  200    200    200
  listUserPermissionsInSite           401       404      404     404      404   403     403    403  403     403  403    403    200
  listTeamPermissionsInSite           401       404      404     404      404   403     403    403  403     403  403    403    200
  listPermissionsAggregateInSite      401       404      404     404      404   403     403    403  403     403  403    403    200
  inviteToSite                        401       404      404     404      404   403     403    403  403     403  403    403    204
  updateUserPermissionInSite          401       404      404     404      404   403     403    403  403     403  403    403    204
  removeUserFromSite                  401       404      404     404      404   403     403    403  403     403  403    403    205
  updateTeamPermissionInSite          401       404      404     404      404   403     403    403  403     403  403    403    204
  removeTeamFromSite                  401       404      404     404      404   403     403    403  403     403  403    403    205
  getSitePublishingAuthById           401       404      404     404      404   403     403    403  403     403  403    403    200
  updateSitePublishingAuthById        401       404      404     404      404   403     403    403  403     403  403    403    200
  regenerateSitePublishingAuthById    401       404      404     404      404   403     403    403  403     403  403    403    200
  rotateSiteVisitorKey                401       404      404     404      404   403     403    403  403     403  403    403    200
  getSitePublishingPreviewById        401       404      404     404      404   200     200    200  200     200  200    200    200
  searchSiteContent                   401       404      404     404      404   200     200    200  200     200  200    200    200
  getSiteLlmsText                     401       404      404     404      404   200     200    200  200     200  200    200    200
  getSiteSitemap                      401       404      404     404      404   200     200    200  200     200  200    200    200
  getSiteRobotsText                   401       404      404     404      404   200     200    200  200     200  200    200    200
  getSiteInsights                     401       404      404     404      404   200     200    200  200     200  200    200    200
  trackSiteInsights                   401       403      403     403      403   403     403    403  403     403  403    403    403
  resolvePublishedContentByUrl        404       404      404     404      404   404     404    404  404     404  404    404    404
  getPublishedContentByUrl            404       404      404     404      404   404     404    404  404     404  404    404    404
  listSitesConsumers                  401       403      403     200      403   403     403    403  403     403  403    403    403
  listSitesParkedEvents               401       403      403     200      403   403     403    403  403     403  403    403    403
  retrySitesParkedEvent               401       403      403     404      403   403     403    403  403     403  403    403    403
  rebuildSitesProjection              401       403      403     200      403   403     403    403  403     403  403    403    403
  listSitesTimers                     401       403      403     200      403   403     403    403  403     403  403    403    403
  listSitesRuns                       401       403      403     200      403   403     403    403  403     403  403    403    403
  cancelSitesRun                      401       403      403     404      403   403     403    403  403     403  403    403    403
`;

const rows = readAuthorizationTable(table, spaceCallers);

type Request = readonly [method: string, path: string, body?: object];
/** What a site has, by paths. Each caller gets a site of their own, to change it or to be refused. */
interface Paths {
  org: string;
  site: string;
  /** A space that is not on the site. */
  other: string;
  siteSpaces: readonly string[];
  sections: readonly string[];
  groups: readonly string[];
  link: string;
  redirect: string;
  user: string;
  team: string;
}
const schema = { jsonSchema: { type: 'object', properties: {}, additionalProperties: false } };
const url = { kind: 'url', url: 'https://example.com' };
const nowhere = 'https://unknown.example/docs';
const behind = (type: 'siteSpace' | 'siteSection', id = '') => ({
  position: { after: { type: type === 'siteSpace' ? 'site-space' : 'site-section', [type]: id } },
});
const operator = '/operator/sites';
const requests: Record<string, (paths: Paths) => Request> = {
  listSites: ({ org }) => ['GET', `${org}/sites`],
  createSite: ({ org }) => ['POST', `${org}/sites`],
  getSiteById: ({ site }) => ['GET', site],
  updateSiteById: ({ site }) => ['PATCH', site, { title: 'Other' }],
  deleteSiteById: ({ site }) => ['DELETE', site],
  // The site has no hostname of its own.
  verifySiteHostname: ({ site }) => ['POST', `${site}/hostname/verify`],
  publishSite: ({ site }) => ['POST', `${site}/publish`],
  unpublishSite: ({ site }) => ['POST', `${site}/unpublish`],
  getSiteStructure: ({ site }) => ['GET', `${site}/structure`],
  sortSiteStructure: ({ site, sections: [a = '', b = ''] }) => [
    'PATCH',
    `${site}/structure/sort`,
    { item: { type: 'site-section', id: a }, position: { after: { type: 'site-section', id: b } } },
  ],
  listSiteSpaces: ({ site }) => ['GET', `${site}/site-spaces`],
  addSpaceToSite: ({ site, other }) => ['POST', `${site}/site-spaces`, { spaceId: other }],
  updateSiteSpaceById: ({ site, siteSpaces: [a] }) => ['PATCH', `${site}/site-spaces/${a}`, { hidden: true }],
  deleteSiteSpaceById: ({ site, siteSpaces: [a] }) => ['DELETE', `${site}/site-spaces/${a}`],
  duplicateSiteSpace: ({ site, siteSpaces: [a] }) => ['POST', `${site}/site-spaces/${a}/duplicate`],
  moveSiteSpace: ({ site, siteSpaces: [a] }) => ['POST', `${site}/site-spaces/${a}/move`, behind('siteSpace', a)],
  listSiteSections: ({ site }) => ['GET', `${site}/sections`],
  addSectionToSite: ({ site, other }) => ['POST', `${site}/sections`, { spaceId: other }],
  updateSiteSectionById: ({ site, sections: [a] }) => ['PATCH', `${site}/sections/${a}`, { title: 'Other' }],
  deleteSiteSectionById: ({ site, sections: [a] }) => ['DELETE', `${site}/sections/${a}`],
  moveSiteSection: ({ site, sections: [a, b] }) => ['POST', `${site}/sections/${a}/move`, behind('siteSection', b)],
  listSiteSectionGroups: ({ site }) => ['GET', `${site}/section-groups`],
  addSectionGroupToSite: ({ site }) => ['POST', `${site}/section-groups`, { title: 'Group' }],
  updateSiteSectionGroupById: ({ site, groups: [a] }) => ['PATCH', `${site}/section-groups/${a}`, { title: 'Other' }],
  deleteSiteSectionGroupById: ({ site, groups: [a] }) => ['DELETE', `${site}/section-groups/${a}`],
  addSectionToGroup: ({ site, groups: [a], sections: [b] }) => [
    'POST',
    `${site}/section-groups/${a}/sections`,
    { sectionId: b },
  ],
  removeSectionFromGroup: ({ site, groups: [a], sections: [, , c] }) => [
    'DELETE',
    `${site}/section-groups/${a}/sections/${c}`,
  ],
  moveSiteSectionGroup: ({ site, groups: [a], sections: [b] }) => [
    'POST',
    `${site}/section-groups/${a}/move`,
    behind('siteSection', b),
  ],
  listSiteShareLinks: ({ site }) => ['GET', `${site}/share-links`],
  createSiteShareLink: ({ site }) => ['POST', `${site}/share-links`, { name: 'Link' }],
  updateSiteShareLinkById: ({ link }) => ['PATCH', link, { active: false }],
  deleteSiteShareLinkById: ({ link }) => ['DELETE', link],
  getSiteAdaptiveSchema: ({ site }) => ['GET', `${site}/adaptive-schema`],
  updateSiteAdaptiveSchema: ({ site }) => ['PUT', `${site}/adaptive-schema`, schema],
  listSiteAdaptiveTemplateConditions: ({ site }) => ['GET', `${site}/adaptive-schema/template-conditions`],
  getPublishedContentSite: ({ site }) => ['GET', `${site}/published`],
  getPublishedPdf: ({ site }) => ['GET', `${site}/published/pdf`],
  getSiteCustomizationById: ({ site }) => ['GET', `${site}/customization`],
  updateSiteCustomizationById: ({ site }) => ['PUT', `${site}/customization`, {}],
  getSiteSpaceCustomizationById: ({ site, siteSpaces: [a] }) => ['GET', `${site}/site-spaces/${a}/customization`],
  overrideSiteSpaceCustomizationById: ({ site, siteSpaces: [a] }) => [
    'PATCH',
    `${site}/site-spaces/${a}/customization`,
    { pdf: { enabled: false } },
  ],
  deleteSiteSpaceCustomizationById: ({ site, siteSpaces: [, b] }) => [
    'DELETE',
    `${site}/site-spaces/${b}/customization`,
  ],
  listSiteRedirects: ({ site }) => ['GET', `${site}/redirects`],
  createSiteRedirect: ({ site }) => ['POST', `${site}/redirects`, { source: '/new', destination: url }],
  updateSiteRedirectById: ({ redirect }) => ['PATCH', redirect, { source: '/other' }],
  deleteSiteRedirectById: ({ redirect }) => ['DELETE', redirect],
  getSiteRedirectBySource: ({ site }) => ['GET', `${site}/redirect?source=/old`],
  listUserPermissionsInSite: ({ site }) => ['GET', `${site}/permissions/users`],
  listTeamPermissionsInSite: ({ site }) => ['GET', `${site}/permissions/teams`],
  listPermissionsAggregateInSite: ({ site }) => ['GET', `${site}/permissions/aggregate`],
  inviteToSite: ({ site, user }) => ['POST', `${site}/permissions`, { role: 'edit', users: [user] }],
  updateUserPermissionInSite: ({ site, user }) => ['PATCH', `${site}/permissions/users/${user}`, { role: 'edit' }],
  removeUserFromSite: ({ site, user }) => ['DELETE', `${site}/permissions/users/${user}`],
  updateTeamPermissionInSite: ({ site, team }) => ['PATCH', `${site}/permissions/teams/${team}`, { role: 'edit' }],
  removeTeamFromSite: ({ site, team }) => ['DELETE', `${site}/permissions/teams/${team}`],
  getSitePublishingAuthById: ({ site }) => ['GET', `${site}/publishing/auth`],
  updateSitePublishingAuthById: ({ site }) => ['PATCH', `${site}/publishing/auth`, { fallbackURL: null }],
  regenerateSitePublishingAuthById: ({ site }) => ['POST', `${site}/publishing/auth/regenerate`],
  rotateSiteVisitorKey: ({ site }) => ['POST', `${site}/visitor-auth/rotate`],
  getSitePublishingPreviewById: ({ site, siteSpaces: [a] }) => ['GET', `${site}/publishing/preview?siteSpace=${a}`],
  searchSiteContent: ({ site }) => ['POST', `${site}/search`, { query: 'a' }],
  getSiteLlmsText: ({ site }) => ['GET', `${site}/published/llms.txt`],
  getSiteSitemap: ({ site }) => ['GET', `${site}/published/sitemap.xml`],
  getSiteRobotsText: ({ site }) => ['GET', `${site}/published/robots.txt`],
  getSiteInsights: ({ site }) => ['GET', `${site}/insights?metric=views&from=2026-01-01&to=2026-01-31`],
  // For content tokens alone.
  trackSiteInsights: ({ site }) => ['POST', `${site}/insights/events`, { events: [{ type: 'page_view' }] }],
  // Nobody is refused: the address leads nowhere.
  resolvePublishedContentByUrl: () => ['POST', '/urls/published', { url: nowhere }],
  getPublishedContentByUrl: () => ['GET', `/urls/published?url=${nowhere}`],
  listSitesConsumers: () => ['GET', `${operator}/consumers`],
  listSitesParkedEvents: () => ['GET', `${operator}/parked-events`],
  retrySitesParkedEvent: () => ['POST', `${operator}/parked-events/x/retry`],
  rebuildSitesProjection: () => ['POST', `${operator}/projections/site_v3/rebuild`],
  listSitesTimers: () => ['GET', `${operator}/timers`],
  listSitesRuns: () => ['GET', `${operator}/runs`],
  cancelSitesRun: () => ['POST', `${operator}/runs/x/cancel`],
};
/** Operations after which the next caller needs the site as it was. */
const consuming = /^(add|delete|create|duplicate|remove|move|sort)/;

describe('authorization', () => {
  let rig: Rig;
  let org: string;
  let spaces: string[];
  let callers: SpaceCallers;
  let paths: Paths;

  const made = async (path: string, body: object = {}): Promise<string> =>
    String((await rig.send('POST', path, { body })).body['id']);
  /** A site with three sections, the last of which stands in a group, and one of everything else. */
  const newSite = async (): Promise<Paths> => {
    const site = `${org}/sites/${await made(`${org}/sites`)}`;
    const sections: string[] = [];
    for (const spaceId of spaces.slice(0, 3)) sections.push(await made(`${site}/sections`, { spaceId }));
    const groups = [await made(`${site}/section-groups`, { title: 'Group', sections: sections.slice(2) })];
    const listed = (await rig.send('GET', `${site}/site-spaces`)).body.items;
    const siteSpaces = listed.map(({ id }) => String(id));
    const { granted: user, team } = callers;
    const [shareLink, redirection] = await Promise.all([
      made(`${site}/share-links`, { name: 'One' }),
      made(`${site}/redirects`, { source: '/old', destination: url }),
      rig.send('PATCH', `${site}/site-spaces/${siteSpaces[1]}/customization`, { body: { pdf: { enabled: false } } }),
      rig.send('PUT', `${site}/adaptive-schema`, { body: schema }),
      rig.send('POST', `${site}/permissions`, { body: { role: 'read', users: [user] } }),
      rig.send('POST', `${site}/permissions`, { body: { role: 'create', teams: [team] } }),
    ]);
    const [link, redirect] = [`${site}/share-links/${shareLink}`, `${site}/redirects/${redirection}`];
    return { org, site, other: spaces[3] ?? '', siteSpaces, sections, groups, link, redirect, user, team };
  };

  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    org = `/orgs/${rig.organization}`;
    spaces = [];
    for (const title of ['A', 'B', 'C', 'D']) spaces.push(await made(`${org}/spaces`, { title, empty: true }));
    callers = await createSpaceCallers(rig);
    paths = await newSite();
  }, 120_000);
  afterAll(() => rig.stop());

  const statusFor = async (operation: string, token: string | null): Promise<number> => {
    const [method = '', path = '', body] = requests[operation]?.(paths) ?? [];
    const { status } = await rig.send(method, path, { token, ...(body === undefined ? {} : { body }) });
    if (status >= 200 && status < 300 && status !== 204 && consuming.test(operation)) paths = await newSite();
    return status;
  };

  it('has a row for every operation', () => {
    expect(rows.map(({ operation }) => operation).sort()).toEqual(operationsOf('sites'));
  });

  it.each(rows)(
    'of $operation',
    async (row) => {
      const answered = await answersOf(row, (caller) => statusFor(row.operation, callers.tokens[caller]));
      expect(answered).toEqual(row.expected);
    },
    60_000,
  );
});
