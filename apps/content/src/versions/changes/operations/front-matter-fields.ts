import { PageFields } from '@scriptorium/contracts';
import { resolveLinkByDefault, type FrontMatter, type ResolveLink } from '@scriptorium/rich-text';
import { impossible, type At } from '../context.js';
import { wrongIn, type Fields } from './page-fields.js';
import { titleIn } from '../parsing/parse-page.js';

/** What the values of keys have to be. */
const forms: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['title', 'description', 'icon', 'emoji', 'if', 'cover', 'coverDark'].map((key) => [key, 'a text']),
  ),
  ...Object.fromEntries(['hidden', 'noIndex', 'noRobotsIndex'].map((key) => [key, 'true or false'])),
  ...Object.fromEntries(['coverY', 'coverHeight'].map((key) => [key, 'a number'])),
  layout: 'a map',
};
/** The same of the members of keys that are maps. */
const formsOfMembers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  metaLinks: { canonical: 'a text', alternates: 'a list of texts' },
};

/**
 * The keys that stand for fields of a page, of which the title is none: a value of another form than it should have is
 * left over.
 */
export const keysOfFields: ReadonlySet<string> = new Set(
  [...Object.keys(forms), ...Object.keys(formsOfMembers), 'vars'].filter((key) => key !== 'title'),
);

/** Keys of front matter, by the fields of a page that they stand for. */
const keyOfField: Readonly<Record<string, string>> = {
  condition: 'if',
  variables: 'vars',
  'cover.ref': 'cover',
  'cover.refDark': 'coverDark',
  'cover.yPos': 'coverY',
  'cover.height': 'coverHeight',
};

/**
 * The fields that the front matter of markdown names. @throws AppError `content_change_invalid` for values that a page
 * cannot have
 */
export function fieldsOf(at: At, frontMatter: FrontMatter | undefined): Fields {
  if (frontMatter === undefined) return {};
  const refuse = (key: string, message: string): never => {
    throw impossible(at, 'document.markdown', `The front matter has an invalid ${key}: ${message}`);
  };
  const unfit = unfitIn(frontMatter);
  if (unfit !== undefined) refuse(unfit.key, `Must be ${unfit.form}`);
  const parsed = PageFields.safeParse(givenFields(frontMatter));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse(keyOf(issue?.path ?? []), issue?.message ?? '');
  }
  const { condition } = parsed.data;
  const reason = condition == null ? undefined : wrongIn(condition);
  return reason === undefined ? parsed.data : refuse('if', reason);
}

function keyOf(path: readonly PropertyKey[]): string {
  const [field = '', ...inside] = path.map(String);
  const exact = keyOfField[`${field}.${inside[0] ?? ''}`];
  return exact ?? [keyOfField[field] ?? field, ...inside].join('.');
}

/** A value that has another form than it should. */
interface Unfit {
  key: string;
  form: string;
}

/** The first value that has another form than it should. Empty values, and keys that no page has, do not count. */
function unfitIn(frontMatter: FrontMatter): Unfit | undefined {
  const { title, vars, ...others } = frontMatter.other ?? {};
  if (title != null && titleIn(frontMatter) === undefined)
    return { key: 'title', form: 'a text of at most 255 characters' };
  if (vars != null) return unfitVariable(vars);
  for (const [key, value] of Object.entries(others)) {
    const unfit = value === null ? undefined : unfitValue(key, value);
    if (unfit !== undefined) return unfit;
  }
  return undefined;
}

/** Whether a value that was not read should have been. */
function unfitValue(key: string, value: unknown): Unfit | undefined {
  const form = Object.hasOwn(forms, key) ? forms[key] : undefined;
  if (form !== undefined) return { key, form };
  const members = Object.hasOwn(formsOfMembers, key) ? formsOfMembers[key] : undefined;
  if (members === undefined) return undefined;
  if (!isMap(value)) return { key, form: 'a map' };
  const unfit = Object.entries(members).find(([name]) => Object.hasOwn(value, name) && value[name] !== null);
  return unfit === undefined ? undefined : { key: `${key}.${unfit[0]}`, form: unfit[1] };
}

/** Of `vars`, what was not read as a variable. */
function unfitVariable(vars: unknown): Unfit | undefined {
  if (!isMap(vars)) return { key: 'vars', form: 'a map' };
  const [unfit] = Object.entries(vars).find(([, value]) => value !== null) ?? [];
  return unfit === undefined
    ? undefined
    : { key: `vars.${unfit}`, form: 'a text with a name of letters, digits and _ that begins with a letter' };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
