import type { Scope } from '@scriptorium/platform';
import type { RichDocument } from '@scriptorium/rich-text';
import { seenDocument } from '../../analysis/index.js';
import { variablesOf } from '../../../versions/index.js';
import { seenBy } from '../../page-visibility/index.js';
import { markdownOf } from './markdown-of.process.js';
import type { ContentView } from '../view/view.queries.js';
import { withReferences } from './with-references.process.js';

/** What answers with documents are made with. */
export type FormScope = Pick<Scope, 'urls' | 'workers'>;

/** How a document is answered. */
export interface DocumentForm {
  format?: 'document' | 'markdown' | undefined;
  'format.markdown.refs'?: 'relative' | 'stable' | undefined;
  evaluated: boolean | 'deterministic-only';
  dereferenced: boolean | 'reusable-contents';
}

/** A document, and what it is seen with. */
export interface SeenDocument {
  document: RichDocument;
  /** The page that it is the document of; absent for reusable contents. */
  page?: { id: string; title: string; variables: Readonly<Record<string, string>> };
}

/** A document in the form that was asked for; in both forms unless one was. */
export async function inForm(
  scope: FormScope,
  view: ContentView,
  seen: SeenDocument,
  form: DocumentForm,
): Promise<{ markdown?: string; document?: RichDocument }> {
  const document = await prepared(scope, view, seen, form);
  if (form.format === 'document') return { document };
  const refs = form['format.markdown.refs'] ?? 'relative';
  const markdown = await markdownOf(scope, view, document, { page: seen.page, refs });
  return form.format === 'markdown' ? { markdown } : { markdown, document };
}

/** The document with references and expressions resolved, as far as that was asked for. */
export async function prepared(
  scope: FormScope,
  view: ContentView,
  { document, page }: SeenDocument,
  { evaluated, dereferenced }: Pick<DocumentForm, 'evaluated' | 'dereferenced'>,
): Promise<RichDocument> {
  const resolved =
    dereferenced === false ? document : await withReferences(scope, view, document, dereferenced === true);
  const seen = await seenIn(scope, view, { document: resolved, page }, evaluated);
  // What conditions hide takes no room from what is shown.
  return dereferenced === true && view.withBlocks !== undefined ? view.withBlocks(seen) : seen;
}

async function seenIn(
  scope: FormScope,
  view: ContentView,
  { document, page }: { document: RichDocument; page: SeenDocument['page'] },
  evaluated: DocumentForm['evaluated'],
): Promise<RichDocument> {
  const variables = { space: await variablesOf(view.tree), page: { ...page?.variables } };
  // Whatever was asked for: a visitor gets what conditions show, and nothing of the conditions.
  if (view.reader !== undefined) {
    const seen = seenBy(view.reader, variables.space, variables.page);
    return seenDocument(scope, document, { seen, mode: 'all' });
  }
  if (evaluated === false) return document;
  const seen = { type: 'human', claims: {}, variables } as const;
  return seenDocument(scope, document, { seen, mode: evaluated === true ? 'all' : evaluated });
}
