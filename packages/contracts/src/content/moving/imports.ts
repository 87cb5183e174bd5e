import * as z from 'zod';
import { Id, Timestamp, Url, listOf, paging } from '../../kernel/common.js';
import { embed } from '../../kernel/embed.js';
import { User } from '../../identity/people/users.js';
import { operation } from '../../kernel/operation.js';
import { RunFailure, RunProgress } from '../../kernel/run.js';
import { importBounds } from './import-bounds.js';
import { ImportWarning } from './import-warning.js';
import { StorageKey } from '../versions/file-input.js';

const outsideLinks = Url.optional().meta({
  description:
    'The address of the folder that the pages come from. Links that lead out of what is imported lead below this address; without it they stay as text.',
});

/** What is imported. */
export const ImportSource = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('file'),
      files: z
        .array(StorageKey)
        .min(1)
        .max(importBounds.files)
        .refine((keys) => new Set(keys).size === keys.length, 'A key is given twice')
        .meta({
          description: 'Keys of uploads of the kind `import_file`: zips, or single files, whose names are their paths.',
        }),
      outsideLinks,
    }),
    z.object({
      type: z.literal('url'),
      url: Url.meta({ description: 'The public address of a zip.' }),
      outsideLinks,
    }),
  ])
  .meta({ id: 'ImportSource' });

/** Where an import goes. */
export const ImportTarget = z
  .object({
    space: Id,
    changeRequest: Id.optional().meta({
      description: 'A change request of the space, by id or number. A locked space needs one.',
    }),
    page: Id.optional().meta({ description: 'The page or group that the pages are put in; the top unless given.' }),
  })
  .meta({ id: 'ImportTarget' });

export const ImportStatus = z
  .enum(['pending', 'in-progress', 'completed', 'failed', 'cancelled'])
  .meta({ id: 'ImportStatus' });

const mode = z.enum(['add', 'replace']).meta({
  description:
    '`add`: the pages stand behind those that are there. `replace`: the content becomes that of the archive. Pages and files keep their ids by the file that they came from, then by the path that they have in an export; pages of renamed files by the `id` of the front matter, then by the same bytes.',
});

const allowEmpty = z.boolean().default(false).meta({
  description:
    'With `replace`: what has no pages may replace the content, too. Otherwise that is refused (`import_empty`).',
});

/** A page of an import. */
const ImportPage = z
  .object({
    id: Id,
    title: z.string(),
    path: z.string().optional().meta({ description: 'Its file in the archive.' }),
    type: z.enum(['page', 'folder', 'link']).meta({ description: '`folder`: a group, or a page without a file.' }),
    status: z.enum(['pending', 'completed', 'failed']),
  })
  .meta({ id: 'ImportPage' });

const count = z.int().min(0);

/** What an import has made, and what it could not resolve. */
const ImportReport = z
  .object({
    pages: count,
    files: count,
    reusableContents: count,
    variables: count,
    warnings: z.array(ImportWarning).max(importBounds.warnings),
    moreWarnings: count.meta({ description: 'Further warnings, which are not listed.' }),
  })
  .meta({ id: 'ImportReport' });

const shared = {
  object: z.literal('import'),
  id: Id,
  status: ImportStatus,
  reason: z.string().optional().meta({ description: 'Why it failed, in one word that stays.' }),
  failure: RunFailure.extend({
    path: z.string().optional().meta({ description: 'The file of the archive that it failed at.' }),
  })
    .optional()
    .meta({ id: 'ImportFailure' }),
  source: ImportSource,
  target: ImportTarget,
  mode,
  progress: RunProgress.optional().meta({ description: 'Pages that are read, of all.' }),
  revision: Id.optional().meta({ description: 'The revision that it has become.' }),
  createdBy: embed('user', User),
  requestedAt: Timestamp,
  startedAt: Timestamp.optional(),
  completedAt: Timestamp.optional().meta({ description: 'When it ended, however it did.' }),
};

const importSummary = z.object(shared).meta({ id: 'ImportRunSummary' });
const importRun = z
  .object({ ...shared, pages: z.array(ImportPage).optional(), report: ImportReport.optional() })
  .meta({ id: 'ImportRun' });
const listOfImports = listOf(importSummary);

/** Answers with names of their own: written out in each operation their types would be too long for the compiler. */
export interface ImportRun extends z.input<typeof importRun> {
  object: 'import';
}
export interface ShownImportRun extends z.output<typeof importRun> {
  object: 'import';
}
export interface ImportRuns extends z.input<typeof listOfImports> {
  count: number;
}
export interface ShownImportRuns extends z.output<typeof listOfImports> {
  count: number;
}
export const ImportRun: z.ZodType<ShownImportRun, ImportRun> = importRun;
const runs: z.ZodType<ShownImportRuns, ImportRuns> = listOfImports;

const startImport = z.object({
  source: ImportSource,
  target: ImportTarget,
  mode: mode.default('add'),
  allowEmpty,
});
/** The request for an import. */
export interface StartImport extends z.input<typeof startImport> {
  source: z.input<typeof ImportSource>;
}
export interface ReadStartImport extends z.output<typeof startImport> {
  source: z.output<typeof ImportSource>;
}
const body: z.ZodType<ReadStartImport, StartImport> = startImport;

const base = { service: 'content', tag: 'Import and export' } as const;
const path = '/orgs/{organizationId}/imports';
const alias = '/org/{organizationId}/imports';
const organization = { organizationId: Id };
const one = { organizationId: Id, importId: Id };
// Who may change the space, and who sees an import, is checked where it is known: guests too can edit a space.
const access = { resource: 'organization', view: ['guest'], allow: ['guest'] } as const;

export const startImportRun = operation({
  ...base,
  id: 'startImportRun',
  method: 'POST',
  path,
  aliases: [alias],
  summary: 'Import markdown files or a zip of them into a space, as one revision',
  access: { ...access, scope: 'space:write' },
  params: z.object(organization),
  body,
  response: ImportRun,
  status: 201,
  reasons: [
    'limit_reached',
    'space_locked',
    'space_read_only',
    'content_change_invalid',
    'change_request_merged',
    'import_empty',
  ],
  rate: 'content-write',
});

export const listImportRuns = operation({
  ...base,
  id: 'listImportRuns',
  method: 'GET',
  path,
  aliases: [alias],
  summary: 'List your imports, as an admin all of the organization, the newest first',
  access: { ...access, scope: 'space:read' },
  params: z.object(organization),
  query: z.object({
    ...paging,
    space: Id.optional(),
    changeRequest: Id.optional(),
    status: z
      .union([ImportStatus, z.literal('active')])
      .optional()
      .meta({ description: '`active`: pending or in progress.' }),
  }),
  response: runs,
});

export const getImportRun = operation({
  ...base,
  id: 'getImportRun',
  method: 'GET',
  path: `${path}/{importId}`,
  aliases: [`${alias}/{importId}`],
  summary: 'Get an import with its pages, and what could not be resolved',
  access: { ...access, scope: 'space:read' },
  params: z.object(one),
  response: ImportRun,
});

export const cancelImportRun = operation({
  ...base,
  id: 'cancelImportRun',
  method: 'POST',
  path: `${path}/{importId}/cancel`,
  aliases: [`${alias}/{importId}/cancel`],
  summary: 'Cancel an import that has not ended; the content stays as it is',
  access: { ...access, scope: 'space:write' },
  params: z.object(one),
  response: ImportRun,
});
