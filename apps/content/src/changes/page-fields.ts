import { layoutPresets, limitReached, PageFields, type TextChange, type PageLayout } from '@scriptorium/contracts';
import { compileCondition, ExpressionError, VISITOR_VARIABLES } from '@scriptorium/expressions';
import { resolveLinkByDefault, type FrontMatter, type ResolveLink } from '@scriptorium/rich-text';
import { attributesOf, type PageAttributes, type PageRecord } from '../pages/index.js';
import { impossible, type At, type ChangeContext } from './context.js';
import { titleIn } from './parse-page.js';
import { referenceIn } from './references.js';

type Insertion = Extract<TextChange, { operation: 'insert_page' }>;
/** The fields of a page besides its title, slug and document. */
export type Fields = Partial<Omit<Insertion, 'operation' | 'ref' | 'document' | 'into' | 'at' | 'title' | 'slug'>>;

/** The fields that the front matter of markdown names. @throws AppError `content_change_invalid` for values out of bounds */
export function fieldsOf(at: At, frontMatter: FrontMatter | undefined): Fields {
  if (frontMatter === undefined) return {};
  if (frontMatter.other?.['title'] != null && titleIn(frontMatter) === undefined)
    throw impossible(at, 'document.markdown', 'The front matter has an invalid title');
  const parsed = PageFields.safeParse(givenFields(frontMatter));
  if (parsed.success) {
    const reason = parsed.data.condition == null ? undefined : wrongIn(parsed.data.condition);
    if (reason === undefined) return parsed.data;
    throw impossible(at, 'document.markdown', `The front matter has an invalid if: ${reason}`);
  }
  const [issue] = parsed.error.issues;
  const name = issue?.path.join('.') ?? '';
  throw impossible(at, 'document.markdown', `The front matter has an invalid ${name}: ${issue?.message ?? ''}`);
}

/** The fields that front matter names, as they are given. `resolve`: what its addresses stand for. */
export function givenFields(frontMatter: FrontMatter, resolve: ResolveLink = resolveLinkByDefault): object {
  const { cover, coverDark, coverY, coverHeight, metaLinks, layout, tags: _, other: __, ...plain } = frontMatter;
  return {
    ...plain,
    ...(cover === undefined ? {} : { cover: coverOf({ cover, coverDark, coverY, coverHeight }, resolve) }),
    ...(metaLinks === undefined ? {} : { metaLinks: metaLinksOf(metaLinks, resolve) }),
    ...(layout === undefined ? {} : { layout: layoutOf(layout) }),
  };
}

interface CoverInFrontMatter {
  cover: string;
  coverDark: string | undefined;
  coverY: number | undefined;
  coverHeight: number | undefined;
}

function coverOf({ cover, coverDark, coverY, coverHeight }: CoverInFrontMatter, resolve: ResolveLink) {
  return {
    ref: resolve(cover, 'image'),
    ...(coverDark === undefined ? {} : { refDark: resolve(coverDark, 'image') }),
    ...(coverY === undefined ? {} : { yPos: coverY }),
    ...(coverHeight === undefined ? {} : { height: coverHeight }),
  };
}

function metaLinksOf({ canonical, alternates }: NonNullable<FrontMatter['metaLinks']>, resolve: ResolveLink) {
  return {
    ...(canonical === undefined ? {} : { canonical: resolve(canonical, 'page') }),
    ...(alternates === undefined ? {} : { alternates: alternates.map((url) => resolve(url, 'page')) }),
  };
}

/** `{ title: { visible: false }, cover: { visible: true, size: 'full' } }` as the options of a layout. */
function layoutOf(layout: NonNullable<FrontMatter['layout']>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(layout).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'width') return [[name, value]];
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]];
      const { visible, size } = value as { visible?: unknown; size?: unknown };
      return [
        ...(visible === undefined ? [] : [[name, visible] as [string, unknown]]),
        ...(name === 'cover' && size !== undefined ? [['coverSize', size] as [string, unknown]] : []),
      ];
    }),
  );
}

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
  const { attributes: _, ...record } = Object.fromEntries(kept) as unknown as typeof page;
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

/** What has more variables than the limit, because the limit was lowered, may shrink. @throws AppError `limit_reached` */
export function requireRoom(before: object = {}, after: object = {}, most: number): void {
  const count = Object.keys(after).length;
  if (count > most && count > Object.keys(before).length) throw limitReached('variablesPerSpace', most);
}

/** Why a condition cannot be read; `undefined` when it can. */
function wrongIn(condition: string): string | undefined {
  try {
    compileCondition(condition, { variables: VISITOR_VARIABLES });
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return error.message;
  }
}
