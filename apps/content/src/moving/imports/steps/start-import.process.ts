import type { ServiceAccess } from '@scriptorium/access';
import { AppError, blaming, lacksLevel, roleAtLeast, type InputOf, type startImportRun } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { requireRequestBranch, type ContentObjects, findPage } from '../../../versions/index.js';
import { viewContent } from '../../../reading/index.js';
import { viewNode, requireLive, requireWritable } from '../../../library/index.js';
import { scheduleForgetting } from './forget-import.timer.js';
import { contentImport } from './import.run.js';
import { refuseEmpty } from '../planning/plan-step.process.js';
import { addImport, dropImports, type ImportDocument, type SourceFile } from '../imports.operational.js';
import { uploadedSources } from '../archive/sources.process.js';

type Body = InputOf<typeof startImportRun>['body'];

/**
 * Begins an import.
 * @throws AppError `not_found`, `forbidden`, `space_locked`, `space_read_only`, `change_request_merged`,
 * `content_change_invalid`,
 * `invalid_request` and `limit_reached`, naming the field; `import_empty`
 */
export async function startImport(
  call: Call,
  { access, objects }: { access: ServiceAccess; objects: ContentObjects },
  organization: string,
  { source, target, mode, allowEmpty }: Body,
): Promise<ImportDocument> {
  const { space } = target;
  await requireEdit(call, access, organization, space);
  const branch = await branchOf(call, target);
  if (target.page !== undefined) await requirePage(call, objects, organization, { space, branch, page: target.page });
  if (mode === 'replace' && target.page !== undefined)
    throw blaming('invalid_request', 'body.target.page', 'Only the whole content can be replaced');
  const sources = await sourcesOf(call, organization, source);
  if (sources !== undefined) await refuseEmpty(call, objects, { mode, allowEmpty, sources, deadline: call.deadline });
  const id = call.idFor('import');
  const about: ImportDocument = {
    _id: id,
    organization,
    space,
    branch,
    source,
    target: { ...target, ...(branch === space ? {} : { changeRequest: branch }) },
    mode,
    allowEmpty,
    createdBy: call.principal.id,
    requestedAt: new Date(call.now()).toISOString(),
    status: 'pending',
    ...(sources === undefined ? {} : { sources }),
    warnings: [],
    moreWarnings: 0,
  };
  await request(call, about);
  return about;
}

/** Stores what is imported, then requests the run. A timer removes what was stored when there is no run. */
async function request(call: Call, about: ImportDocument): Promise<void> {
  const { _id: id, organization, space } = about;
  const store = call.store.in(organization).within({ space });
  await scheduleForgetting(store, id, call.now());
  if (!call.store.dry) await addImport(call, about);
  try {
    await store.requestRun(contentImport, { id, input: { space } });
  } catch (error) {
    if (error instanceof AppError && error.reason === 'limit_reached') await dropImports(call, { _id: id });
    throw error;
  }
}

async function requireEdit(call: Call, access: ServiceAccess, organization: string, space: string): Promise<void> {
  const field = 'body.target.space';
  const node = await viewNode(call, access, call.principal, space);
  const isThere = node?.kind === 'space' && node.organization === organization && node.deletedAt === null;
  if (!isThere || !roleAtLeast(node.level, 'read')) throw blaming('not_found', field, 'There is no such space');
  if (!roleAtLeast(node.level, 'edit')) throw lacksLevel('edit', 'space', field);
}

async function branchOf(call: Call, { space, changeRequest }: Body['target']): Promise<string> {
  if (changeRequest === undefined) {
    await requireLive(call, space);
    return space;
  }
  await requireWritable(call, space);
  const field = 'body.target.changeRequest';
  const { id, request } = await requireRequestBranch(call, space, changeRequest).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
    throw blaming('not_found', field, 'There is no such change request');
  });
  if (request.merged !== null) throw blaming('change_request_merged', field, 'The change request is merged');
  return id;
}

async function requirePage(
  call: Call,
  objects: ContentObjects,
  organization: string,
  { space, branch, page }: { space: string; branch: string; page: string },
): Promise<void> {
  const { tree } = await viewContent(call, objects, organization, { space, branch }, { computed: false });
  const found = await findPage(tree, page);
  if (found?.type === 'document' || found?.type === 'group') return;
  throw blaming('not_found', 'body.target.page', 'There is no such page or group');
}

async function sourcesOf(call: Call, organization: string, source: Body['source']): Promise<SourceFile[] | undefined> {
  if (source.type === 'file') return uploadedSources(call, organization, source.files);
  call.outbound.check(source.url, 'body.source.url');
  return undefined;
}
