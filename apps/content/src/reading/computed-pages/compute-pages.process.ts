import { blaming, type ComputedDocument, type ComputedSource } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { canonical } from '@scriptorium/tree';
import { type ContentObjects, findPages, type Page } from '../../versions/index.js';
import type { AskedSource, ComputedPages, Content } from './asked-source.js';
import { sourceOf, type Source } from './dependencies.queries.js';
import { computeScripted } from './compute-scripted.process.js';
import { expansionOf } from './expand-root.process.js';
import { isKnownSource } from './expand.task.js';
import { hashOf, pagesOf, type Expansion } from './place-pages.js';
import { isScripted } from './scripted-source.queries.js';

/**
 * The pages of a source in some content, as a computed page there shows them if it has this source.
 * @throws AppError `not_found` or `invalid_request` that names a part of `body.source`
 */
export async function computePages(
  scope: Pick<Scope, 'store' | 'workers' | 'now'>,
  objects: ContentObjects,
  content: Content,
  asked: AskedSource,
): Promise<ComputedPages> {
  if (isScripted(asked.source.type)) return computeScripted(scope, objects, content, asked);
  if (!isKnownSource(asked.source.type))
    throw blaming('invalid_request', 'body.source.type', 'Nothing can be computed from such a source');
  const { organization, tree } = content;
  const page = (await declaredAs(content, asked)) ?? undeclared(content, asked);
  const source = await sourceOf(scope, { organization, tree }, page);
  if (source === undefined)
    throw blaming('not_found', 'body.source.dependencies', 'Something that it depends on is not there');
  const expansion = (await expansionOf(scope, objects, tree.pool, source)) ?? [];
  if (expansion.length === 0)
    throw blaming('invalid_request', 'body.source.dependencies', 'What it depends on makes no pages');
  return computedPages(source, expansion);
}

function computedPages(source: Source, expansion: Expansion): ComputedPages {
  return {
    pages: pagesOf(source, expansion).map(({ parent = '', document: _, ...page }) => ({
      ...page,
      ...(parent !== source.page.id && { parent }),
    })),
    documentOf: (props) => expansion.find(({ key }) => key === JSON.stringify(props))?.document,
  };
}

/** The computed page of a content that has this source; that with the seed if there are several. */
async function declaredAs({ tree, computed }: Content, { source, seed }: AskedSource): Promise<Page | undefined> {
  const pages = [...(await findPages(tree, [...computed].sort())).values()];
  const same = pages.filter((page) => page.computed !== undefined && isSame(page.computed, source));
  return same.find((page) => page.seed === seed) ?? same[0];
}

/** Whether a source is the one of a page, or of a part of what that stands for. */
function isSame(declared: ComputedSource, source: ComputedSource | ComputedDocument): boolean {
  const [one, other] = [declared, source].map(({ type, dependencies = {} }) => canonical({ type, dependencies }));
  return one === other && (isOfPart(source) || textOf(declared.props) === textOf(source.props));
}

/** Whether it is the source of the document of one page. */
function isOfPart({ props = {} }: ComputedSource | ComputedDocument): boolean {
  return 'doc' in props;
}

function textOf(props: object = {}): string {
  return canonical({ ...props });
}

/** A page for a source that no page of the content has. */
function undeclared({ createdAt }: Content, { source }: AskedSource): Page {
  // A page is asked for by what it shows, and the one of the models could be meant.
  const computed = isOfPart(source) ? { ...source, props: { models: true } } : source;
  const id = hashOf(['source', canonical(computed)]);
  return { id, type: 'computed', title: '', order: '', computed, createdAt, updatedAt: createdAt };
}
