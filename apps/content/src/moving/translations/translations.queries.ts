import { AppError, type Translation } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { forClients, type RichDocument } from '@scriptorium/rich-text';
import { findInstructions, noInstructions } from './texts/instructions.operational.js';
import type { TranslationUsage } from './providers/provider.js';
import { requireTranslation } from './require-translation.queries.js';
import { countSegments } from './segments/page-segments.operational.js';
import { translationDocuments, type TranslationDocument } from './translation.projection.js';
import type { Translator } from './translator.process.js';

type TranslationRecord = Stored<TranslationDocument>;

/** What translations are shown with. */
export interface TranslationView {
  scope: Scope;
  translator: Translator;
}

/** A translation. `given`: instructions that this request has brought, which a dry run does not keep. */
export async function getTranslation(
  view: TranslationView,
  { organization, id, given }: { organization: string; id: string; given?: RichDocument | undefined },
): Promise<Translation> {
  const [shown] = await render(view, [await requireTranslation(view.scope, organization, id)], given);
  if (shown === undefined) throw new AppError('not_found');
  return shown;
}

interface Listed extends PageRequest {
  organization: string;
  operation: string;
  space?: string | undefined;
  language?: TranslationDocument['language'] | undefined;
}

/** Translations of an organization, the newest first. */
export async function listTranslations(
  view: TranslationView,
  { organization, operation, space, language, ...request }: Listed,
): Promise<Page<Translation>> {
  const { scope } = view;
  const filter = {
    organization,
    ...(space !== undefined && { source: space }),
    ...(language !== undefined && { language }),
  };
  const page = await findPage<TranslationDocument>(scope.cursors, {
    model: scope.store.read(translationDocuments),
    filter,
    sort: 'createdAt',
    binding: { operation, scope: filter, order: 'desc' },
    request,
  });
  return { ...page, items: await render(view, page.items) };
}

async function render(
  view: TranslationView,
  docs: readonly TranslationRecord[],
  given?: RichDocument,
): Promise<Translation[]> {
  const { scope } = view;
  const [instructions, problems, runs] = await Promise.all([
    findInstructions(
      scope,
      docs.map(({ _id: translation, instructions: name }) => ({ translation, name })),
    ),
    Promise.all(docs.map(({ _id }) => countSegments(scope, { translation: _id, problem: true }))),
    Promise.all(docs.map(async ({ run }) => (run === null ? null : scope.store.findRun(run)))),
  ]);
  return docs.map((doc, i) => ({
    ...renderOne(view, doc, problems[i] ?? 0),
    instructions: forClients(given ?? instructions.get(`${doc._id}/${doc.instructions}`) ?? noInstructions),
    ...(runs[i]?.progress !== undefined && { progress: runs[i].progress }),
  }));
}

function renderOne(
  { scope: { urls }, translator }: TranslationView,
  doc: TranslationRecord,
  problems: number,
): Omit<Translation, 'instructions'> {
  const { _id: id, organization, source: space, from, language, createdAt, updatedAt, lastError } = doc;
  return {
    object: 'translation',
    id,
    status: doc.run !== null ? 'running' : doc.waiting ? 'pending' : 'completed',
    source: { space, language: from },
    language,
    ...(doc.revision !== null && { result: { space: doc.result, revision: doc.revision, language } }),
    createdAt,
    updatedAt,
    stats: {
      runs: doc.runs,
      totalWords: doc.words,
      totalPages: doc.pages,
      totalDuration: doc.seconds,
      latestRunDuration: doc.latest.seconds,
      latestPages: doc.latest.pages,
      latestWords: doc.latest.words,
      problems,
    },
    usage: { latest: withCost(translator, doc.usage.latest), total: withCost(translator, doc.usage.total) },
    ...(lastError !== null && { lastError: { ...lastError, message: failureMessages[lastError.reason] } }),
    permissions: { view: true, edit: true },
    urls: { location: `${urls.api}/orgs/${organization}/translations/${id}` },
  };
}

function withCost(translator: Translator, usage: TranslationUsage): Translation['usage']['latest'] {
  const cost = translator.costOf(usage);
  return { ...usage, ...(cost !== undefined && { cost }) };
}

const failureMessages: Readonly<Record<NonNullable<Translation['lastError']>['reason'], string>> = {
  no_provider: 'No provider of translations is set: the operator has to set TRANSLATION_PROVIDER',
  provider_error: 'The provider of translations did not answer, or not with what was asked for',
  ai_disabled: 'The organization does not give texts to language models',
  limit_reached: 'There is more to translate than one run may; the next one goes on',
  source_deleted: 'The source space is deleted; the translation goes on when it is restored',
  result_deleted: 'The translated space is deleted; restore it and run the translation again',
  unexpected: 'The run failed by an error here that is not of the provider; the log of the service has it',
};
