import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBranch } from '@scriptorium/contracts';
import {
  answersOf,
  createSpaceCallers,
  operationsOf,
  readAuthorizationTable,
  spaceCallers,
  type SpaceCallers,
} from '@scriptorium/testing';
import { connectAsker, type Asker } from '../test/ask.js';
import { openAPIRequests } from '../test/openapi-requests.js';
import { startRig, type Rig } from '../test/rig.js';
import { computedOf, shop, specFile } from '../test/specifications.js';
import { translationRequests } from '../test/translation-requests.js';
import { uploaded } from '../test/zips.js';

/*
 * Who may do what, written from the contract documents, not from the code. `granted` and `teamed` are guests of the
 * organization: a space has granted `read` to the one and `create` to a team of the other. The operator is no member.
 */
const table = `
  operation                            anonymous stranger removed operator guest granted teamed read comment edit review create admin
  listSpacesInOrganizationById         401       404      404     404      200   200     200    200  200     200  200    200    200
  listSpacesForOrganizationMember      401       404      404     404      404   404     404    403  403     403  403    403    200
  createSpace                          401       404      404     404      403   403     403    403  403     403  403    201    201
  getSpaceById                         401       404      404     404      404   200     200    200  200     200  200    200    200
  updateSpaceById                      401       404      404     404      404   403     200    403  403     403  403    200    200
  deleteSpaceById                      401       204      204     204      204   403     403    403  403     403  403    403    205
  restoreSpace                         401       404      404     404      404   404     404    404  404     404  404    404    200
  listUserPermissionsInSpace           401       404      404     404      404   200     200    200  200     200  200    200    200
  listTeamPermissionsInSpace           401       404      404     404      404   200     200    200  200     200  200    200    200
  listPermissionsAggregateInSpace      401       404      404     404      404   200     200    200  200     200  200    200    200
  inviteToSpace                        401       404      404     404      404   403     204    403  403     403  403    204    204
  updateUserPermissionInSpace          401       404      404     404      404   403     204    403  403     403  403    204    204
  removeUserFromSpace                  401       404      404     404      404   403     205    403  403     403  403    205    205
  updateTeamPermissionInSpace          401       404      404     404      404   403     204    403  403     403  403    204    204
  removeTeamFromSpace                  401       404      404     404      404   403     205    403  403     403  403    205    205
  moveSpace                            401       404      404     404      404   403     200    403  403     403  403    200    200
  transferSpace                        401       404      404     404      404   403     403    403  403     403  403    403    200
  listCollectionsInOrganizationById    401       404      404     404      200   200     200    200  200     200  200    200    200
  createCollection                     401       404      404     404      403   403     403    403  403     403  403    201    201
  getCollectionById                    401       404      404     404      404   200     200    200  200     200  200    200    200
  updateCollectionById                 401       404      404     404      404   403     200    403  403     403  403    200    200
  deleteCollectionById                 401       204      204     204      204   403     403    403  403     403  403    403    205
  listSpacesInCollectionById           401       404      404     404      404   200     200    200  200     200  200    200    200
  moveCollection                       401       404      404     404      404   403     200    403  403     403  403    200    200
  transferCollection                   401       404      404     404      404   403     403    403  403     403  403    403    200
  listUserPermissionsInCollection      401       404      404     404      404   200     200    200  200     200  200    200    200
  listTeamPermissionsInCollection      401       404      404     404      404   200     200    200  200     200  200    200    200
  listPermissionsAggregateInCollection 401       404      404     404      404   200     200    200  200     200  200    200    200
  inviteToCollection                   401       404      404     404      404   403     204    403  403     403  403    204    204
  updateUserPermissionInCollection     401       404      404     404      404   403     204    403  403     403  403    204    204
  removeUserFromCollection             401       404      404     404      404   403     205    403  403     403  403    205    205
  updateTeamPermissionInCollection     401       404      404     404      404   403     204    403  403     403  403    204    204
  removeTeamFromCollection             401       404      404     404      404   403     205    403  403     403  403    205    205
  getCurrentRevision                   401       404      404     404      404   200     200    200  200     200  200    200    200
  listPages                            401       404      404     404      404   200     200    200  200     200  200    200    200
  listFiles                            401       404      404     404      404   200     200    200  200     200  200    200    200
  getFileById                          401       404      404     404      404   200     200    200  200     200  200    200    200
  getPageById                          401       404      404     404      404   200     200    200  200     200  200    200    200
  getPageByPath                        401       404      404     404      404   200     200    200  200     200  200    200    200
  getReusableContentById               401       404      404     404      404   200     200    200  200     200  200    200    200
  getSpacePageMetaLinks                401       404      404     404      404   200     200    200  200     200  200    200    200
  getDocumentById                      401       404      404     404      404   200     200    200  200     200  200    200    200
  getComputedDocument                  401       404      404     404      404   200     200    200  200     200  200    200    200
  getComputedRevision                  401       404      404     404      404   200     200    200  200     200  200    200    200
  listRevisions                        401       404      404     404      404   200     200    200  200     200  200    200    200
  getRevisionById                      401       404      404     404      404   200     200    200  200     200  200    200    200
  listPagesInRevisionById              401       404      404     404      404   200     200    200  200     200  200    200    200
  listFilesInRevisionById              401       404      404     404      404   200     200    200  200     200  200    200    200
  getFileInRevisionById                401       404      404     404      404   200     200    200  200     200  200    200    200
  getPageInRevisionById                401       404      404     404      404   200     200    200  200     200  200    200    200
  getPageInRevisionByPath              401       404      404     404      404   200     200    200  200     200  200    200    200
  getPageDocumentInRevisionById        401       404      404     404      404   200     200    200  200     200  200    200    200
  getReusableContentInRevisionById     401       404      404     404      404   200     200    200  200     200  200    200    200
  getRevisionSemanticChanges           401       404      404     404      404   200     200    200  200     200  200    200    200
  changeSpaceContent                   401       404      404     404      404   403     200    403  403     200  200    200    200
  getRevisionOfChangeRequestById       401       404      404     404      404   200     200    200  200     200  200    200    200
  listPagesInChangeRequest             401       404      404     404      404   200     200    200  200     200  200    200    200
  listFilesInChangeRequestById         401       404      404     404      404   200     200    200  200     200  200    200    200
  getFileInChangeRequestById           401       404      404     404      404   200     200    200  200     200  200    200    200
  getPageInChangeRequestById           401       404      404     404      404   200     200    200  200     200  200    200    200
  getPageInChangeRequestByPath         401       404      404     404      404   200     200    200  200     200  200    200    200
  getReusableContentInChangeRequestById 401      404      404     404      404   200     200    200  200     200  200    200    200
  getChangeRequestSemanticChanges      401       404      404     404      404   200     200    200  200     200  200    200    200
  changeContentInChangeRequest         401       404      404     404      404   403     200    403  403     200  200    200    200
  searchSpaceContent                   401       404      404     404      404   200     200    200  200     200  200    200    200
  listSpaceLinks                       401       404      404     404      404   200     200    200  200     200  200    200    200
  listPageLinksInSpace                 401       404      404     404      404   200     200    200  200     200  200    200    200
  listSpacePageBacklinks               401       404      404     404      404   200     200    200  200     200  200    200    200
  listSpaceFileBacklinks               401       404      404     404      404   200     200    200  200     200  200    200    200
  listChangeRequestLinks               401       404      404     404      404   200     200    200  200     200  200    200    200
  listPageLinksInChangeRequest         401       404      404     404      404   200     200    200  200     200  200    200    200
  listChangeRequestPageBacklinks       401       404      404     404      404   200     200    200  200     200  200    200    200
  listChangeRequestFileBacklinks       401       404      404     404      404   200     200    200  200     200  200    200    200
  searchOrganizationContent            401       404      404     404      200   200     200    200  200     200  200    200    200
  listAllContentInOrganizationById     401       404      404     404      200   200     200    200  200     200  200    200    200
  rollbackRevision                     401       404      404     404      404   403     200    403  403     403  200    200    200
  duplicateSpace                       401       404      404     404      404   403     403    403  403     403  403    201    201
  applyTemplateToSpace                 401       404      404     404      404   403     201    403  403     201  201    201    201
  uploadStorage                        401       404      404     404      403   403     201    403  403     201  201    201    201
  exportSpace                          401       404      404     404      404   200     200    200  200     200  200    200    200
  getSpacePdf                          401       404      404     404      404   200     200    200  200     200  200    200    200
  getChangeRequestPdf                  401       404      404     404      404   200     200    200  200     200  200    200    200
  startImportRun                       401       404      404     404      404   403     422    403  403     422  422    422    422
  getEmbedByUrlInSpace                 401       404      404     404      404   400     400    400  400     400  400    400    400
  listImportRuns                       401       404      404     404      200   200     200    200  200     200  200    200    200
  getImportRun                         401       404      404     404      404   404     404    404  404     404  404    404    200
  cancelImportRun                      401       404      404     404      404   404     404    404  404     404  404    404    200
  listOpenAPISpecs                     401       404      404     404      404   404     404    200  200     200  200    200    200
  createOpenAPISpec                    401       404      404     404      404   404     404    403  403     403  403    201    201
  getOpenAPISpecBySlug                 401       404      404     404      404   404     404    404  404     404  404    404    404
  createOrUpdateOpenAPISpecBySlug      401       404      404     404      404   404     404    403  403     403  403    201    201
  updateOpenAPISpecBySlug              401       404      404     404      404   404     404    403  403     403  403    404    404
  deleteOpenAPISpecBySlug              401       204      204     204      204   204     204    403  403     403  403    204    204
  listOpenAPISpecVersions              401       404      404     404      404   404     404    404  404     404  404    404    404
  getLatestOpenAPISpecVersion          401       404      404     404      404   404     404    404  404     404  404    404    404
  getOpenAPISpecVersionById            401       404      404     404      404   404     404    404  404     404  404    404    404
  getOpenAPISpecVersionContentById     401       404      404     404      404   404     404    404  404     404  404    404    404
  getLatestOpenAPISpecVersionContent   401       404      404     404      404   404     404    404  404     404  404    404    404
  getOpenAPISpecVersionContentRawById  401       404      404     404      404   404     404    403  403     403  403    404    404
  getLatestOpenAPISpecVersionContentRaw 401       404      404     404      404   404     404    403  403     403  403    404    404
  listOpenAPISpecVersionChanges        401       404      404     404      404   404     404    404  404     404  404    404    404
  listTranslations                     401       404      404     404      403   403     403    403  403     403  403    403    200
  createTranslation                    401       404      404     404      403   403     403    403  403     403  403    403    201
  getTranslation                       401       404      404     404      403   403     403    403  403     403  403    403    200
  updateTranslation                    401       404      404     404      403   403     403    403  403     403  403    403    200
  deleteTranslation                    401       404      404     404      403   403     403    403  403     403  403    403    205
  runTranslation                       401       404      404     404      403   403     403    403  403     403  403    403    204
  listTranslationSegments              401       404      404     404      403   403     403    403  403     403  403    403    200
  updateTranslationSegment             401       404      404     404      403   403     403    403  403     403  403    403    404
  listGlossaryEntries                  401       404      404     404      403   403     403    403  403     403  403    403    200
  updateGlossaryEntries                401       404      404     404      403   403     403    403  403     403  403    403    204
  getGlossaryEntry                     401       404      404     404      403   403     403    403  403     403  403    403    404
  listTemplates                        401       200      200     200      200   200     200    200  200     200  200    200    200
  getContentByUrl                      401       404      404     404      404   200     200    200  200     200  200    200    200
  getEmbedByUrl                        401       400      400     400      400   400     400    400  400     400  400    400    400
  listContentConsumers                 401       403      403     200      403   403     403    403  403     403  403    403    403
  listContentParkedEvents              401       403      403     200      403   403     403    403  403     403  403    403    403
  retryContentParkedEvent              401       403      403     404      403   403     403    403  403     403  403    403    403
  rebuildContentProjection             401       403      403     200      403   403     403    403  403     403  403    403    403
  listContentTimers                    401       403      403     200      403   403     403    403  403     403  403    403    403
  startContentVerification             401       403      403     201      403   403     403    403  403     403  403    403    403
  getContentVerification               401       403      403     404      403   403     403    403  403     403  403    403    403
  listContentRuns                      401       403      403     200      403   403     403    403  403     403  403    403    403
  cancelContentRun                     401       403      403     404      403   403     403    403  403     403  403    403    403
`;

const rows = readAuthorizationTable(table, spaceCallers);

describe('authorization', () => {
  let rig: Rig;
  let ask: Asker;
  let org: string;
  /** Has a grant on every space, which requests change. */
  let target: string;
  let targetTeam: string;
  let callers: SpaceCallers;

  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    ask = await connectAsker(rig);
    org = `/orgs/${rig.organization}`;
    callers = await createSpaceCallers(rig);
    target = (await rig.member('Target', null)).id;
    targetTeam = String((await rig.send('PUT', `${org}/teams`, { body: { title: 'Targets' } })).body['id']);
  }, 60_000);
  afterAll(async () => {
    await ask.close();
    await rig.stop();
  });

  /** A space or collection with grants. */
  const newNode = async (kind: 'spaces' | 'collections', body: object = {}): Promise<string> => {
    const path = `/${kind}/${String((await rig.send('POST', `${org}/${kind}`, { body })).body['id'])}`;
    const grants = [
      { role: 'read', users: [callers.granted, target], teams: [targetTeam] },
      { role: 'create', teams: [callers.team] },
    ];
    await Promise.all(grants.map((body) => rig.send('POST', `${path}/permissions`, { body })));
    return path;
  };

  type Requests = Record<string, [method: string, path: string, body?: object]>;
  /** Requests about a space or collection, below its path; the same for both. */
  const nodeRequests = (Node: string, place: string): Requests => ({
    [`get${Node}ById`]: ['GET', ''],
    [`update${Node}ById`]: ['PATCH', '', { title: 'Other' }],
    [`delete${Node}ById`]: ['DELETE', ''],
    [`move${Node}`]: ['POST', '/move', { parent: place }],
    [`transfer${Node}`]: ['POST', '/transfer', { organization: place }],
    restoreSpace: ['POST', '/restore'],
    listSpacesInCollectionById: ['GET', '/spaces'],
    [`listUserPermissionsIn${Node}`]: ['GET', '/permissions/users'],
    [`listTeamPermissionsIn${Node}`]: ['GET', '/permissions/teams'],
    [`listPermissionsAggregateIn${Node}`]: ['GET', '/permissions/aggregate'],
    [`inviteTo${Node}`]: ['POST', '/permissions', { role: 'read', users: [target] }],
    [`updateUserPermissionIn${Node}`]: ['PATCH', `/permissions/users/${target}`, { role: 'edit' }],
    [`removeUserFrom${Node}`]: ['DELETE', `/permissions/users/${target}`],
    [`updateTeamPermissionIn${Node}`]: ['PATCH', `/permissions/teams/${targetTeam}`, { role: 'edit' }],
    [`removeTeamFrom${Node}`]: ['DELETE', `/permissions/teams/${targetTeam}`],
  });
  /** Requests about the content of a space, below its path. */
  const contentRequests = ({ page, path, document, contents, file, revision, request }: Content): Requests => ({
    getCurrentRevision: ['GET', '/content'],
    listPages: ['GET', '/content/pages'],
    listFiles: ['GET', '/content/files'],
    getFileById: ['GET', `/content/files/${file}`],
    getPageById: ['GET', `/content/page/${page}`],
    getPageByPath: ['GET', `/content/path/${path}`],
    getReusableContentById: ['GET', `/content/reusable-contents/${contents}`],
    getSpacePageMetaLinks: ['GET', `/content/page/${page}/meta-links`],
    getDocumentById: ['GET', `/documents/${document}`],
    getComputedDocument: ['POST', '/content/computed/document', { source: computedOf(file, { doc: 'models' }) }],
    getComputedRevision: ['POST', '/content/computed/revision', { source: computedOf(file) }],
    searchSpaceContent: ['GET', '/search?query=text'],
    listSpaceLinks: ['GET', '/links'],
    listPageLinksInSpace: ['GET', `/content/page/${page}/links`],
    listSpacePageBacklinks: ['GET', `/content/page/${page}/backlinks`],
    listSpaceFileBacklinks: ['GET', `/content/files/${file}/backlinks`],
    listChangeRequestLinks: ['GET', `/change-requests/${request}/links`],
    listPageLinksInChangeRequest: ['GET', `/change-requests/${request}/content/page/${page}/links`],
    listChangeRequestPageBacklinks: ['GET', `/change-requests/${request}/content/page/${page}/backlinks`],
    listChangeRequestFileBacklinks: ['GET', `/change-requests/${request}/content/files/${file}/backlinks`],
    listRevisions: ['GET', '/revisions'],
    getRevisionById: ['GET', `/revisions/${revision}`],
    listPagesInRevisionById: ['GET', `/revisions/${revision}/pages`],
    listFilesInRevisionById: ['GET', `/revisions/${revision}/files`],
    getFileInRevisionById: ['GET', `/revisions/${revision}/files/${file}`],
    getPageInRevisionById: ['GET', `/revisions/${revision}/page/${page}`],
    getPageInRevisionByPath: ['GET', `/revisions/${revision}/path/${path}`],
    getPageDocumentInRevisionById: ['GET', `/revisions/${revision}/page/${page}/document`],
    getReusableContentInRevisionById: ['GET', `/revisions/${revision}/reusable-contents/${contents}`],
    getRevisionSemanticChanges: ['GET', `/revisions/${revision}/changes`],
    changeSpaceContent: ['POST', '/content', { changes: [{ operation: 'delete_page', page }] }],
    rollbackRevision: ['POST', `/revisions/${revision}/rollback`],
    duplicateSpace: ['POST', '/duplicate'],
    exportSpace: ['GET', '/export'],
    getSpacePdf: ['GET', '/pdf'],
    getChangeRequestPdf: ['GET', `/change-requests/${request}/pdf`],
    // An address that is not public is refused when all else is right.
    getEmbedByUrlInSpace: ['GET', '/embed?url=http://10.0.0.1/'],
    applyTemplateToSpace: ['POST', '/content/template', { id: 'blank' }],
    getRevisionOfChangeRequestById: ['GET', `/change-requests/${request}/content`],
    listPagesInChangeRequest: ['GET', `/change-requests/${request}/content/pages`],
    listFilesInChangeRequestById: ['GET', `/change-requests/${request}/content/files`],
    getFileInChangeRequestById: ['GET', `/change-requests/${request}/content/files/${file}`],
    getPageInChangeRequestById: ['GET', `/change-requests/${request}/content/page/${page}`],
    getPageInChangeRequestByPath: ['GET', `/change-requests/${request}/content/path/${path}`],
    getReusableContentInChangeRequestById: ['GET', `/change-requests/${request}/content/reusable-contents/${contents}`],
    getChangeRequestSemanticChanges: ['GET', `/change-requests/${request}/changes`],
    changeContentInChangeRequest: [
      'POST',
      `/change-requests/${request}/content`,
      { changes: [{ operation: 'delete_page', page }] },
    ],
  });
  interface Content {
    page: string;
    path: string;
    document: string;
    contents: string;
    file: string;
    revision: string;
    /** A change request. */
    request: string;
  }
  const noContent: Content = { page: '', path: '', document: '', contents: '', file: '', revision: '', request: '' };
  /** A space with a page, a reusable content and a file. */
  const newContent = async (): Promise<[path: string, content: Content]> => {
    const space = await newNode('spaces', { editMode: 'live', empty: true });
    const document = { markdown: 'Text.' };
    const changes = [
      { operation: 'insert_page', title: 'Page', document, ref: 'page' },
      { operation: 'insert_reusable_content', title: 'Contents', document, ref: 'contents' },
      { operation: 'insert_files', files: [specFile(shop('List orders'), { ref: 'file' })] },
    ];
    const made = (await rig.send('POST', `${space}/content`, { body: { changes } })).body;
    const { page = '', contents = '', file = '' } = made['refs'] as Record<string, string>;
    const shown = (await rig.send('GET', `${space}/content/page/${page}`)).body;
    const [revision, documentId] = [String(made['revision']), String(shown['documentId'])];
    const request = `request-${page}`;
    await ask(openBranch, { space: space.slice('/spaces/'.length), branch: request });
    return [space, { page, contents, file, path: 'page', document: documentId, revision, request }];
  };
  const otherRequests = (): Requests => ({
    listSpacesInOrganizationById: ['GET', `${org}/spaces`],
    listSpacesForOrganizationMember: ['GET', `${org}/members/${target}/spaces`],
    createSpace: ['POST', `${org}/spaces`],
    listCollectionsInOrganizationById: ['GET', `${org}/collections`],
    createCollection: ['POST', `${org}/collections`],
    uploadStorage: ['POST', `${org}/storage/upload`, { file: { name: 'a', type: 'a/b', size: 1 }, kind: 'space_file' }],
    listImportRuns: ['GET', `${org}/imports`],
    ...openAPIRequests(org),
    listTemplates: ['GET', '/templates'],
    getEmbedByUrl: ['GET', '/urls/embed?url=http://10.0.0.1/'],
    listAllContentInOrganizationById: ['GET', `${org}/all-content`],
    searchOrganizationContent: ['GET', `${org}/search?query=text`],
    listContentConsumers: ['GET', '/operator/content/consumers'],
    listContentParkedEvents: ['GET', '/operator/content/parked-events'],
    retryContentParkedEvent: ['POST', '/operator/content/parked-events/x/retry'],
    rebuildContentProjection: ['POST', '/operator/content/projections/space_v3/rebuild'],
    listContentTimers: ['GET', '/operator/content/timers'],
    listContentRuns: ['GET', '/operator/content/runs'],
    startContentVerification: ['POST', '/operator/content/verifications'],
    getContentVerification: ['GET', '/operator/content/verifications/none'],
    cancelContentRun: ['POST', '/operator/content/runs/x/cancel'],
  });

  /** Requests that only read share what they are about, and those that are refused. */
  const shared = new Map<string, Promise<unknown>>();
  const made = <T>(isShared: boolean, what: string, make: () => Promise<T>): Promise<T> => {
    const known = isShared ? shared.get(what) : undefined;
    if (known !== undefined) return known as Promise<T>;
    const making = make();
    if (isShared) shared.set(what, making);
    return making;
  };

  /**
   * Requests about imports. That of the owner is shown to admins alone; a key that names no upload is refused when all
   * else is right.
   */
  const importRequest = async (operation: string): Promise<Requests[string] | undefined> => {
    if (!['startImportRun', 'getImportRun', 'cancelImportRun'].includes(operation)) return undefined;
    const [path] = await made(true, 'content', newContent);
    const target = { space: path.slice('/spaces/'.length) };
    if (operation === 'startImportRun')
      return ['POST', `${org}/imports`, { source: { type: 'file', files: ['none'] }, target }];
    const id = await made(true, 'import', () => beginImport(target));
    return operation === 'getImportRun' ? ['GET', `${org}/imports/${id}`] : ['POST', `${org}/imports/${id}/cancel`];
  };
  const beginImport = async (target: { space: string }): Promise<string> => {
    const files = [await uploaded(rig, 'a.md', Buffer.from('# A\n'))];
    const begun = await rig.send('POST', `${org}/imports`, { body: { source: { type: 'file', files }, target } });
    return String(begun.body['id']);
  };

  /** Where something is moved or transferred to: a collection, or an organization of the admin. */
  const placeFor = async (operation: string, isRefused: boolean): Promise<string> => {
    if (operation.startsWith('move')) return (await made(isRefused, 'place', newPlace)).slice('/collections/'.length);
    return operation.startsWith('transfer') ? made(true, 'organization', newOrganization) : '';
  };
  const newPlace = (): Promise<string> => newNode('collections');
  const newOrganization = async (): Promise<string> => {
    const by = { token: callers.tokens.admin, body: { title: 'Other' } };
    return String((await rig.send('POST', '/orgs', by)).body['id']);
  };
  const requestFor = async (operation: string, isRefused: boolean): Promise<Requests[string]> => {
    const ofImport = await importRequest(operation);
    if (ofImport !== undefined) return ofImport;
    const ofTranslation = await translationRequests(rig)(operation);
    if (ofTranslation !== undefined) return ofTranslation;
    if (operation === 'getContentByUrl') {
      const [path] = await made(true, 'content', newContent);
      return ['GET', `/urls/content?url=https://docs.example/o/${rig.organization}/s/${path.slice('/spaces/'.length)}`];
    }
    const other = otherRequests()[operation];
    if (other !== undefined) return other;
    const ofContent = contentRequests(noContent)[operation];
    if (ofContent !== undefined) {
      const [space, names] = await made(isRefused || ofContent[0] === 'GET', 'content', newContent);
      const [method, rest, body] = contentRequests(names)[operation] as Requests[string];
      return [method, `${space}${rest}`, ...(body === undefined ? [] : [body])] as Requests[string];
    }
    const kind = operation.includes('Collection') ? 'collections' : 'spaces';
    const place = await placeFor(operation, isRefused);
    const [method, rest, body] = nodeRequests(kind === 'spaces' ? 'Space' : 'Collection', place)[
      operation
    ] as Requests[string];
    const isDeleted = operation === 'restoreSpace';
    const node = await made(isRefused || method === 'GET', isDeleted ? 'deleted' : kind, () => newNode(kind));
    if (isDeleted) await rig.send('DELETE', node);
    return [method, `${node}${rest}`, ...(body === undefined ? [] : [body])] as Requests[string];
  };

  const statusFor = async (operation: string, token: string | null, isRefused: boolean): Promise<number> => {
    const [method, path, body] = await requestFor(operation, isRefused);
    return (await rig.send(method, path, { token, ...(body === undefined ? {} : { body }) })).status;
  };

  it('has a row for every operation', () => {
    expect(rows.map(({ operation }) => operation).sort()).toEqual(operationsOf('content'));
  });

  it.each(rows)(
    'of $operation',
    async (row) => {
      const answered = await answersOf(row, (caller, isRefused) =>
        statusFor(row.operation, callers.tokens[caller], isRefused),
      );
      expect(answered).toEqual(row.expected);
    },
    60_000,
  );
});
