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

interface TemplateGroup<Name extends string> {
  group: string;
  entries: readonly (TemplatePage | TemplateLink<Name>)[];
}

type TemplateEntry<Name extends string> = TemplatePage | TemplateLink<Name> | TemplateGroup<Name>;

/**
 * A template. `Name`: names of the content references that it takes; in its pages they are addressed as
 * `/content-refs/<name>`.
 */
export interface BuiltInTemplate<Name extends string = string> extends Omit<Template, 'contentRefs'> {
  /** What each content reference is for. */
  contentRefs: Readonly<Record<Name, string>>;
  entries: readonly TemplateEntry<Name>[];
}

/** Declares a template. Its links can lead to the content references that it names, and to no others. */
export function defineTemplate<const Name extends string>(template: BuiltInTemplate<Name>): BuiltInTemplate {
  return template;
}

/** The names of the files of a template, parents first. */
export function filesOf({ entries }: BuiltInTemplate): string[] {
  return entries.flatMap((entry) => ('group' in entry ? entry.entries : [entry])).flatMap(namesOf);
}

function namesOf(entry: TemplatePage | TemplateLink<string>): string[] {
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

function insertions(entry: TemplatePage | TemplateLink<string>, into: string | null, parts: Parts): TextChange[] {
  if ('link' in entry) {
    const target = parts.contentRefs.get(entry.to);
    if (target === undefined) throw new Error(`The template was given no ${entry.to}`);
    return [{ operation: 'insert_link', title: entry.link, icon: entry.icon, target, into }];
  }
  const { page: ref, pages = [] } = entry;
  const markdown = parts.texts.get(ref);
  if (markdown === undefined) throw new Error(`The template has no file ${ref}`);
  const page: TextChange = { operation: 'insert_page', ref, document: { markdown }, into };
  return [page, ...pages.flatMap((inner) => insertions(inner, ref, parts))];
}
