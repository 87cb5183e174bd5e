import { AppError, blaming } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { canonical } from '@scriptorium/tree';
import { type ContentObjects, findPages } from '../../versions/index.js';
import { expansionOf } from './expand-root.process.js';
import type { AskedSource, ComputedPages, Content } from './asked-source.js';
import { pagesOf, type Expansion } from './place-pages.js';
import { otherCapitals } from './scripted-source.queries.js';
import { scriptedExpansionOf, type ScriptedExpansion } from './scripted-expansion.process.js';

type Computes = Pick<Scope, 'store' | 'workers' | 'now'>;

/** What is left of the time of a request for the answer, ms. */
const answerMs = 1_000;
const field = 'body.source.type';

/**
 * The pages of a source that the script of an integration computes. Only sources that computed pages of the content
 * have, and parts of these, are computed: nobody has a script do anything else.
 * @throws AppError `not_found` or `forbidden` that names a part of `body.source`; why nothing was computed, also where
 * there is an earlier result
 */
export async function computeScripted(
  scope: Computes,
  objects: ContentObjects,
  content: Content,
  { source }: AskedSource,
): Promise<ComputedPages> {
  const { tree, computed } = content;
  const pages = [...(await findPages(tree, [...computed].sort())).values()];
  const [, name = ''] = source.type.split(':');
  const mostMs = Math.max(0, (scope.store.context.deadline ?? 0) - scope.now() - answerMs);
  let isInstalled = true;
  for (const page of pages) {
    if (page.computed === undefined || page.computed.type.split(':')[1] !== name) continue;
    const isWhole = textOf(page.computed) === textOf(source);
    const waitMs = isWhole ? mostMs : 0;
    const wait = { mostMs: waitMs, newerMs: waitMs };
    const expanded = await scriptedExpansionOf(scope, objects, { ...content, wait }, page);
    if (expanded === undefined) isInstalled = false;
    else {
      const expansion = (await expansionOf(scope, objects, tree.pool, expanded)) ?? [];
      const isPart = expansion.some((one) => one.computed !== undefined && textOf(one.computed) === textOf(source));
      if (!isWhole && !isPart) continue;
      // Whoever has it computed is told what is wrong with what is newest; readers see what there was before.
      if (expanded.isStale && (isWhole || expanded.failure !== undefined)) throw refusalOf(expanded.failure);
      return shown(expanded, expansion, source);
    }
  }
  if (!isInstalled) throw await notInstalled(scope, content.organization, name);
  throw blaming('not_found', 'body.source', 'No computed page of the content has this source');
}

function shown(expanded: ScriptedExpansion, expansion: Expansion, source: AskedSource['source']): ComputedPages {
  const { page } = expanded;
  return {
    pages: pagesOf(expanded, expansion).map(({ parent = '', document: _, ...one }) => ({
      ...one,
      ...(parent !== page.id && { parent }),
    })),
    documentOf() {
      const one = expansion.find(({ computed }) => computed !== undefined && textOf(computed) === textOf(source));
      if (one?.fault !== undefined) throw new AppError('integration_failed', [], { message: one.fault });
      return one?.document;
    },
  };
}

async function notInstalled(scope: Computes, organization: string, name: string): Promise<AppError> {
  const other = await otherCapitals(scope, organization, name);
  const why = 'The integration is not installed on the space, or may not read its content';
  return blaming('not_found', field, other === undefined ? why : `Capitals count: the integration is ${other}`);
}

function refusalOf(failure: AppError | undefined): AppError {
  if (failure === undefined)
    return new AppError('unavailable', [], { message: 'The integration has not answered yet', retryAfter: 5 });
  const { reason, message } = failure;
  return reason === 'not_found' || reason === 'forbidden' ? blaming(reason, field, message) : failure;
}

function textOf({ type, props = {}, dependencies = {} }: AskedSource['source']): string {
  return canonical({ type, props: { ...props }, dependencies });
}
