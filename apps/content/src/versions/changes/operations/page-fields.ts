import { layoutPresets, limitReached, type TextChange, type PageLayout } from '@scriptorium/contracts';
import { compileCondition, ExpressionError, VISITOR_VARIABLES } from '@scriptorium/expressions';
import { attributesOf, type PageAttributes, type PageRecord } from '../../pages/index.js';
import { impossible, type At, type ChangeContext } from '../context.js';
import { referenceIn } from '../references.js';

type Insertion = Extract<TextChange, { operation: 'insert_page' }>;
/** The fields of a page besides its title, slug and document. */
export type Fields = Partial<Omit<Insertion, 'operation' | 'ref' | 'document' | 'into' | 'at' | 'title' | 'slug'>>;

/** A page with other fields. Those that are not named stay; `null` removes one. */
export async function withFields(
  context: Pick<ChangeContext, 'draft' | 'refs'> & Partial<Pick<ChangeContext, 'mostVariables'>>,
  at: At,
  page: Omit<PageRecord, 'parent' | 'order'>,
  fields: Fields,
): Promise<typeof page> {
  const { draft, mostVariables = Infinity } = context;
  const { cover, layout, metaLinks, variables, condition, ...plain } = fields;
  const reason = condition == null ? undefined : wrongIn(condition);
  if (reason !== undefined) throw impossible(at, 'condition', reason);
  const own = await attributesOf(draft, page);
  const attributes = withAttributes(own, {
    cover: coverIn(context, cover),
    layout,
    metaLinks: linksIn(context, metaLinks),
    variables,
  });
  requireRoom(own.variables, attributes.variables, mostVariables);
  const next = { ...page, ...plain, ...(condition === undefined ? {} : { condition }) };
  const kept = Object.entries(next).filter(([, value]) => value !== undefined && value !== null && value !== false);
  const { attributes: _, ...record } = Object.fromEntries(kept) as typeof page;
  const isPlain = Object.keys(attributes).length === 0;
  return isPlain ? record : { ...record, attributes: draft.add(attributes) };
}

function coverIn(context: Pick<ChangeContext, 'refs'>, cover: Fields['cover']): Fields['cover'] {
  if (cover === undefined || cover === null) return cover;
  const { ref, refDark, ...more } = cover;
  const dark = refDark === undefined ? {} : { refDark: referenceIn(context, refDark) };
  return { ...more, ref: referenceIn(context, ref), ...dark };
}

function linksIn(context: Pick<ChangeContext, 'refs'>, links: Fields['metaLinks']): Fields['metaLinks'] {
  if (links === undefined || links === null) return links;
  const { canonical, alternates } = links;
  return {
    ...(canonical === undefined ? {} : { canonical: referenceIn(context, canonical) }),
    ...(alternates === undefined ? {} : { alternates: alternates.map((one) => referenceIn(context, one)) }),
  };
}

type AttributeFields = Pick<Fields, 'cover' | 'layout' | 'metaLinks' | 'variables'>;

function withAttributes(own: PageAttributes, given: AttributeFields): PageAttributes {
  const { cover, layout, metaLinks, variables } = given;
  const next = {
    ...own,
    ...(cover === undefined ? {} : { cover: cover === null ? null : { yPos: 0, height: 240, ...cover } }),
    ...(metaLinks === undefined ? {} : { metaLinks }),
    ...(layout === undefined ? {} : { layout: nextLayout(own.layout, layout) }),
    ...(variables === undefined ? {} : { variables: nextVariables(own.variables, variables) }),
  };
  const kept = Object.entries(next).filter(([, value]) => value !== null && Object.keys(value).length > 0);
  return Object.fromEntries(kept);
}

function nextLayout(own: Partial<PageLayout> = {}, given: NonNullable<Fields['layout']>): Partial<PageLayout> {
  const next = typeof given === 'string' ? layoutPresets[given] : { ...own, ...given };
  // What is as it is unless somebody says otherwise is not stored.
  const differing = Object.entries(next).filter(
    ([name, value]) => layoutPresets.docs[name as keyof PageLayout] !== value,
  );
  return Object.fromEntries(differing);
}

/** Variables after a change; `null` removes one. */
export function nextVariables(
  own: Readonly<Record<string, string>> = {},
  given: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const next = Object.entries({ ...own, ...given }).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(next);
}

/**
 * What has more variables than the limit, because the limit was lowered, may shrink. @throws AppError `limit_reached`
 */
export function requireRoom(before: object = {}, after: object = {}, most: number): void {
  const count = Object.keys(after).length;
  if (count > most && count > Object.keys(before).length) throw limitReached('variablesPerSpace', most);
}

/** Why a condition cannot be read; `undefined` when it can. */
export function wrongIn(condition: string): string | undefined {
  try {
    compileCondition(condition, { variables: VISITOR_VARIABLES });
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return error.message;
  }
}
