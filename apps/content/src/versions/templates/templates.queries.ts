import {
  blaming,
  requireNone,
  type TextChange,
  type ContentReference,
  type Template,
  type TemplateUse,
} from '@scriptorium/contracts';
import { pageBy, type CursorKeys, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { builtInTemplates } from './built-in.js';
import { changesOf, filesOf, type BuiltInTemplate } from './template.js';

/** The templates by title. */
const sorted = [...builtInTemplates].sort((a, b) => compare(keysOf(a), keysOf(b)));

/** One page of the templates, by title. */
export function listTemplates(
  { cursors }: Pick<Scope, 'cursors'>,
  { operation, ...request }: PageRequest & { operation: string },
): Promise<Page<Template>> {
  return pageBy<Template>(cursors, {
    binding: { operation, scope: {}, sort: 'title', order: 'asc' },
    request,
    isCounted: true,
    count: () => sorted.length,
    fetch: (limit, after) =>
      sorted
        .filter((template) => after === undefined || compare(keysOf(template), after) > 0)
        .slice(0, limit)
        .map(shown),
    keysOf,
  });
}

function keysOf({ title, id }: Pick<Template, 'title' | 'id'>): CursorKeys {
  return [title.toLowerCase(), id];
}

function compare([a, idOfA]: CursorKeys, [b, idOfB]: CursorKeys): number {
  if (a !== b) return String(a) < String(b) ? -1 : 1;
  return idOfA === idOfB ? 0 : idOfA < idOfB ? -1 : 1;
}

function shown({ contentRefs, specifications = {}, entries: _, ...template }: BuiltInTemplate): Template {
  const needed = Object.entries(contentRefs).map(([name, description]) => ({ name, description }));
  const optional = Object.entries(specifications).map(([name, description]) => ({
    name,
    description,
    kind: 'openapi' as const,
    optional: true,
  }));
  return { ...template, contentRefs: [...needed, ...optional] };
}

/** The content of a template, for the content references that it was given. */
export interface TemplateContent {
  changes: TextChange[];
  /** What links to `/content-refs/<name>` lead to, by that name. */
  contentRefs: ReadonlyMap<string, ContentReference>;
}

/**
 * The content of a template. `path`: what names its use in the request.
 * @throws AppError `not_found` for a template that is not there, `invalid_request` naming each content reference that
 * is missing, that the template does not know, or that is no specification where it takes one
 */
export async function readTemplate(
  { id, params }: z.output<typeof TemplateUse>,
  path: string,
): Promise<TemplateContent> {
  const template = builtInTemplates.find((one) => one.id === id);
  if (template === undefined) throw blaming('not_found', `${path}.id`, 'There is no such template');
  const contentRefs = referencesFor(template, params?.contentRefs ?? {}, `${path}.params.contentRefs`);
  const texts = await Promise.all(filesOf(template).map(async (name) => [name, await textOf(template, name)] as const));
  return { changes: changesOf(template, { texts: new Map(texts), contentRefs }), contentRefs };
}

function referencesFor(
  { contentRefs, specifications = {} }: BuiltInTemplate,
  given: Readonly<Record<string, ContentReference>>,
  path: string,
): Map<string, ContentReference> {
  const taken = { ...contentRefs, ...specifications };
  const missing = Object.keys(contentRefs).filter((name) => !Object.hasOwn(given, name));
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(taken, name));
  const others = Object.keys(specifications).filter((name) => (given[name]?.kind ?? 'openapi') !== 'openapi');
  requireNone([
    ...missing.map((name) => ({ path: `${path}.${name}`, message: 'The template needs it' })),
    ...unknown.map((name) => ({ path: `${path}.${name}`, message: 'The template has no such content reference' })),
    ...others.map((name) => ({ path: `${path}.${name}.kind`, message: 'Must be openapi' })),
  ]);
  return new Map(Object.entries(given));
}

/** The files of a template stand in the folder that has its id. */
function textOf({ id }: BuiltInTemplate, name: string): Promise<string> {
  return readFile(new URL(`./${id}/${name}.md`, import.meta.url), 'utf8');
}
