import type { TextChange, ContentReference, Template } from '@scriptorium/contracts';

/**
 * One page: the name of its file, without `.md`. Title, icon and description stand in the file. Other pages of the
 * template link to it as `./<name>.md`.
 */
export interface TemplatePage {
  page: string;
  pages?: readonly TemplatePage[];
}

/** An entry of the navigation that leads to a content reference. */
interface TemplateLink<Name extends string> {
  link: string;
  icon: string;
  to: Name;
}

/** Pages that are computed from an OpenAPI specification. */
interface TemplateReference<Spec extends string> {
  computed: string;
  icon: string;
  from: Spec;
  /**
   * The name of the file whose page stands there while the template is given no specification. Other pages link to
   * whichever it is as `./<name>.md`.
   */
  without: string;
}

type TemplateItem<Name extends string, Spec extends string> =
  TemplatePage | TemplateLink<Name> | TemplateReference<Spec>;

interface TemplateGroup<Name extends string, Spec extends string> {
  group: string;
  entries: readonly TemplateItem<Name, Spec>[];
}

type TemplateEntry<Name extends string, Spec extends string> = TemplateItem<Name, Spec> | TemplateGroup<Name, Spec>;

/**
 * A template. `Name`: names of the content references that it needs; in its pages they are addressed as
 * `/content-refs/<name>`. `Spec`: names of those that it can be given, which are OpenAPI specifications.
 */
export interface BuiltInTemplate<Name extends string = string, Spec extends string = string> extends Omit<
  Template,
  'contentRefs'
> {
  /** What each content reference is for. */
  contentRefs: Readonly<Record<Name, string>>;
  /** What each specification is for. */
  specifications?: Readonly<Record<Spec, string>>;
  entries: readonly TemplateEntry<Name, Spec>[];
}

/** Declares a template. Its entries can use the content references and specifications that it names, and no others. */
export function defineTemplate<const Name extends string, const Spec extends string = never>(
  template: BuiltInTemplate<Name, Spec>,
): BuiltInTemplate {
  return template;
}

/** The names of the files of a template, parents first. */
export function filesOf({ entries }: BuiltInTemplate): string[] {
  return entries.flatMap((entry) => ('group' in entry ? entry.entries : [entry])).flatMap(namesOf);
}

type Item = TemplateItem<string, string>;

function namesOf(entry: Item): string[] {
  if ('computed' in entry) return [entry.without];
  return 'link' in entry ? [] : [entry.page, ...(entry.pages ?? []).flatMap(namesOf)];
}

/** What the changes of a template are made of. */
interface Parts {
  /** Texts of the files, by name. */
  texts: ReadonlyMap<string, string>;
  contentRefs: ReadonlyMap<string, ContentReference>;
}

/** The changes that make the content of a template, in its order. */
export function changesOf({ entries }: BuiltInTemplate, parts: Parts): TextChange[] {
  return entries.flatMap((entry, index) => {
    if (!('group' in entry)) return insertions(entry, null, parts);
    const ref = `group-${index}`;
    const group: TextChange = { operation: 'insert_group', ref, title: entry.group };
    return [group, ...entry.entries.flatMap((inner) => insertions(inner, ref, parts))];
  });
}

function insertions(entry: Item, into: string | null, parts: Parts): TextChange[] {
  if ('link' in entry) {
    const target = parts.contentRefs.get(entry.to);
    if (target === undefined) throw new Error(`The template was given no ${entry.to}`);
    return [{ operation: 'insert_link', title: entry.link, icon: entry.icon, target, into }];
  }
  if ('computed' in entry) return [computedOrPage(entry, into, parts)];
  const { page, pages = [] } = entry;
  return [pageOf(page, into, parts), ...pages.flatMap((inner) => insertions(inner, page, parts))];
}

function computedOrPage(entry: TemplateReference<string>, into: string | null, parts: Parts): TextChange {
  const { computed: title, icon, from, without: ref } = entry;
  const spec = parts.contentRefs.get(from);
  if (spec === undefined) return pageOf(ref, into, parts);
  if (spec.kind !== 'openapi') throw new Error(`The template was given something else as ${from}`);
  const computed = {
    type: 'builtin:openapi' as const,
    props: { models: true, downloadLink: true },
    dependencies: { spec: { ref: spec } },
  };
  return { operation: 'insert_computed', ref, title, icon, computed, into };
}

function pageOf(ref: string, into: string | null, { texts }: Parts): TextChange {
  const markdown = texts.get(ref);
  if (markdown === undefined) throw new Error(`The template has no file ${ref}`);
  return { operation: 'insert_page', ref, document: { markdown }, into };
}
