import { AppError, computeContent, type ComputeCallType } from '@scriptorium/contracts';
import { ask, compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import type { Computation, Computed } from '../../versions/index.js';
import { documentsIn, malformed, type GivenDocument, type readScriptedPages } from './scripted-pages.task.js';
import type { ScriptedSource } from './scripted-source.queries.js';

const readTask = workerTask<typeof readScriptedPages>({
  name: 'read_scripted_pages',
  module: compiledModule('./scripted-pages.task.js', import.meta.url),
  run: 'readScriptedPages',
  withinMs: 30_000,
  tooCostly: () => new AppError('integration_failed', [], { message: 'The pages take too long to be read' }),
});
/** Documents of one source that a script computes at the same time. */
const atOnce = 4;
/** Documents at which a script may fail before it has answered one. */
const mostFailed = 4;

/** How the pages of a source are computed: the script is asked for them, and then for the document of each. */
export function computationOf(
  {
    organization,
    space,
    pool,
    branch,
  }: { organization: string } & Pick<Computation['key'], 'space' | 'pool' | 'branch'>,
  source: ScriptedSource,
): Computation {
  const key = { pool, space, branch, source: source.source, seed: source.seed };
  return { key, organization, compute: (scope, earlier) => compute(scope, { organization, space }, source, earlier) };
}

async function compute(
  scope: Scope,
  place: { organization: string; space: string },
  source: ScriptedSource,
  earlier: string | undefined,
): Promise<Computed> {
  const answerTo = async (type: ComputeCallType, { sourceId, props }: Wanted): Promise<string> => {
    const { integration, version, dependencies } = source;
    const wanted = { ...place, integration, source: sourceId, version, type, props, dependencies };
    const { version: answered, answer } = await ask(scope, computeContent, wanted);
    // The pages of two versions are not mixed. What the newer one computes is asked for under its own seed.
    if (answered !== version) throw new AppError('unavailable', [], { message: 'There is a newer version' });
    return answer;
  };
  const revision = await answerTo('content_compute_revision', source);
  const documents = await documentsOf(source, revision, (wanted) => answerTo('content_compute_document', wanted));
  const { dependencies } = source.page.computed ?? {};
  const given = { revision, documents, dependencies, earlier };
  const { pages, fault } = await scope.workers.run(readTask, given, { deadline: scope.store.context.deadline });
  if (fault === undefined) return { text: pages };
  return { text: pages, fault: new AppError('integration_failed', [], { message: fault }) };
}

interface Wanted {
  sourceId: string;
  props: Record<string, unknown>;
}

/** The documents of the pages that a script has answered, or why it has failed at single ones. */
async function documentsOf(
  { integration }: Pick<ScriptedSource, 'integration'>,
  revision: string,
  answerTo: (wanted: Wanted) => Promise<string>,
): Promise<Record<string, GivenDocument>> {
  const documents: Record<string, GivenDocument> = {};
  const open = [...documentsIn(revision)];
  let answers = 0;
  const work = async (): Promise<void> => {
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const [name, { source: of, at }] = next;
      const [, ofIntegration, sourceId = ''] = of.type.split(':');
      if (ofIntegration !== integration) throw malformed(`${at}.type`, 'Must be a source of the same integration');
      try {
        documents[name] = { answer: await answerTo({ sourceId, props: of.props }) };
        answers += 1;
      } catch (error) {
        if (!isOfOne(error) || (answers === 0 && Object.keys(documents).length >= mostFailed)) throw error;
        documents[name] = { fault: error.details[0]?.message ?? error.message };
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return documents;
}

/** Whether a script has failed at one document: others may be as they should. */
function isOfOne(error: unknown): error is AppError {
  return error instanceof AppError && (error.reason === 'integration_failed' || error.reason === 'integration_timeout');
}
