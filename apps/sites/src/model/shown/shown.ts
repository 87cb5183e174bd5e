import { createCompiler, filterClaims, type Claims, type Compiler, type VisitorType } from '@scriptorium/expressions';
import { schemaOf } from './conditions.js';
import type { SiteSettings } from '../site/settings.js';
import {
  groupIn,
  sectionsOf,
  siteSpacesIn,
  type ItemState,
  type SectionState,
  type SiteSpaceState,
  type Structure,
} from '../structure/structure.js';

/**
 * Somebody to whom a published site is shown: a member, who sees everything, or a visitor with the claims of their
 * token. `spaces`: those that the token opens; a preview opens no other ones than its maker may view.
 */
export type SiteViewer =
  { kind: 'member' } | { kind: 'visitor'; claims: Claims; type?: VisitorType; spaces?: readonly string[] };

type Shown = Pick<SiteSettings, 'adaptiveContent' | 'adaptiveSchema'> & { structure: Structure };

/**
 * What a viewer sees of a published site: the one place that decides it. Hidden and deleted spaces are left out, and so
 * are sections and groups in which nothing is left. Visitors see only what the conditions allow, and no conditions.
 * `isLiving`: whether a space is not deleted.
 */
export function shownStructure(site: Shown, viewer: SiteViewer, isLiving: (space: string) => boolean): Structure {
  const passes = passing(site, viewer);
  const { structure } = site;
  const allowed = new Set(
    sectionsOf(structure)
      .filter((section) => passes(section))
      .map(({ id }) => id),
  );
  const siteSpaces = structure.siteSpaces.filter(
    (one) => (one.section === null || allowed.has(one.section)) && !one.hidden && isLiving(one.space) && passes(one),
  );
  const kept = withContents(structure, siteSpaces);
  return viewer.kind === 'member' ? kept : withoutConditions(kept);
}

/** Whether a viewer passes the conditions of a site. Members pass all. */
export function passing(
  site: Omit<Shown, 'structure'>,
  viewer: SiteViewer,
): (one: { condition?: string | null | undefined }) => boolean {
  if (viewer.kind === 'member') return () => true;
  const { claims, type = 'human' } = viewer;
  const schema = schemaOf(site);
  const known = schema === undefined ? filterClaims(noClaims, {}) : filterClaims(schema, claims);
  const compiler = compilerOf(site);
  return ({ condition = null }) => compiler.test({ visitor: { type, claims: known } }, condition);
}

const noClaims = { root: { type: 'object', properties: new Map() } } as const;
const withoutSchema = createCompiler();
const compilers = new WeakMap<object, Compiler>();

/**
 * Compilers are kept for as long as the schema is: documents of read models are the same objects while they do not
 * change.
 */
function compilerOf(site: Omit<Shown, 'structure'>): Compiler {
  const schema = schemaOf(site);
  if (schema === undefined || site.adaptiveSchema === null) return withoutSchema;
  const known = compilers.get(site.adaptiveSchema);
  if (known !== undefined) return known;
  const made = createCompiler({ schema });
  compilers.set(site.adaptiveSchema, made);
  return made;
}

function withContents(structure: Structure, siteSpaces: readonly SiteSpaceState[]): Structure {
  const filled = new Set(siteSpaces.map(({ section }) => section));
  const groups = new Set<string>();
  for (const { id, parent } of sectionsOf(structure))
    if (filled.has(id))
      for (let next = parent; next !== null; next = groupIn(structure, next)?.parent ?? null) groups.add(next);
  const items = structure.items.filter(({ kind, id }) => (kind === 'section' ? filled.has(id) : groups.has(id)));
  const sections = items.filter((item): item is SectionState => item.kind === 'section');
  return {
    items: items.map((item) => withDefault(structure, siteSpaces, item)),
    siteSpaces,
    defaultSection: chosen(sectionsOf(structure), structure.defaultSection, sections),
    defaultSpace: chosen(siteSpacesIn(structure, null), structure.defaultSpace, siteSpacesIn({ siteSpaces }, null)),
  };
}

function withDefault(structure: Structure, siteSpaces: readonly SiteSpaceState[], item: ItemState): ItemState {
  if (item.kind === 'group') return item;
  const shown = siteSpacesIn({ siteSpaces }, item.id);
  return { ...item, defaultSpace: chosen(siteSpacesIn(structure, item.id), item.defaultSpace, shown) };
}

/** The default, if it is shown; otherwise the next one behind it that is shown, or else the first one. */
function chosen(
  all: readonly { id: string }[],
  byDefault: string | null,
  shown: readonly { id: string }[],
): string | null {
  const ids = new Set(shown.map(({ id }) => id));
  const index = all.findIndex(({ id }) => id === byDefault);
  const next = all.slice(Math.max(0, index)).find(({ id }) => ids.has(id));
  return (next ?? shown[0])?.id ?? null;
}

function withoutConditions(structure: Structure): Structure {
  return {
    ...structure,
    items: structure.items.map((item) => (item.kind === 'section' ? { ...item, condition: null } : item)),
    siteSpaces: structure.siteSpaces.map((one) => ({ ...one, condition: null })),
  };
}

/** The structure in which what is deleted is no default, for those who look after the site. */
export function withLivingDefaults(structure: Structure, isLiving: (space: string) => boolean): Structure {
  const living = structure.siteSpaces.filter(({ space }) => isLiving(space));
  return {
    ...structure,
    items: structure.items.map((item) => withDefault(structure, living, item)),
    defaultSpace: chosen(
      siteSpacesIn(structure, null),
      structure.defaultSpace,
      siteSpacesIn({ siteSpaces: living }, null),
    ),
  };
}
