import type { SiteEvent } from '../site.events.js';
import {
  itemsIn,
  siteSpacesIn,
  type ItemState,
  type SectionState,
  type SiteSpaceState,
  type Structure,
} from './structure.js';

/**
 * What stands on a site after an event, in the aggregate and in the read model. The same object, if nothing changes.
 */
export function structureAfter(structure: Structure, event: SiteEvent): Structure {
  return afterSpaceEvent(structure, event) ?? afterSectionEvent(structure, event) ?? afterGroupEvent(structure, event);
}

function afterSpaceEvent(structure: Structure, event: SiteEvent): Structure | undefined {
  switch (event.type) {
    case 'SiteSpaceAdded': {
      const { siteSpace: id, space, section, path } = event.data;
      const added = { id, space, section, path, condition: null, hidden: false };
      return withDefault({ ...structure, siteSpaces: [...structure.siteSpaces, added] }, section, id);
    }
    case 'SiteSpacePathChanged':
      return changeSpace(structure, event.data.siteSpace, { path: event.data.path });
    case 'SiteSpaceConditionChanged':
      return changeSpace(structure, event.data.siteSpace, { condition: event.data.condition });
    case 'SiteSpaceHidden':
      return changeSpace(structure, event.data.siteSpace, { hidden: true });
    case 'SiteSpaceShown':
      return changeSpace(structure, event.data.siteSpace, { hidden: false });
    case 'SiteSpaceReplaced':
      return changeSpace(structure, event.data.siteSpace, { space: event.data.space });
    case 'SiteSpaceMoved':
      return moveSpace(structure, event.data);
    case 'SiteSpaceRemoved':
      return removeSpace(structure, event.data.siteSpace);
    case 'SiteDefaultSpaceChanged': {
      const { section, siteSpace } = event.data;
      return setDefault(structure, section, siteSpace);
    }
    default:
      return undefined;
  }
}

function afterSectionEvent(structure: Structure, event: SiteEvent): Structure | undefined {
  switch (event.type) {
    case 'SiteSectionAdded': {
      const { section: id, title, path, icon, group } = event.data;
      return addSection(structure, { ...newSection, id, title, path, icon, parent: group });
    }
    case 'SiteSpacesWrapped':
      return wrap(structure, event.data);
    case 'SiteSectionRenamed':
      return changeItem(structure, event.data.section, { title: event.data.title });
    case 'SiteSectionPathChanged':
      return changeItem(structure, event.data.section, { path: event.data.path });
    case 'SiteSectionDescriptionChanged':
      return changeItem(structure, event.data.section, { description: event.data.description });
    case 'SiteSectionIconChanged':
      return changeItem(structure, event.data.section, { icon: event.data.icon });
    case 'SiteSectionConditionChanged':
      return changeItem(structure, event.data.section, { condition: event.data.condition });
    case 'SiteSectionMoved':
      return moveItem(structure, event.data.section, { parent: event.data.group, after: event.data.after });
    case 'SiteSectionRemoved': {
      const { section } = event.data;
      const siteSpaces = structure.siteSpaces.filter((one) => one.section !== section);
      return { ...removeSection(structure, section), siteSpaces };
    }
    case 'SiteSpacesUnwrapped':
      return unwrap(structure, event.data.section);
    case 'SiteDefaultSectionChanged':
      return { ...structure, defaultSection: event.data.section };
    default:
      return undefined;
  }
}

function afterGroupEvent(structure: Structure, event: SiteEvent): Structure {
  switch (event.type) {
    case 'SiteSectionGroupAdded': {
      const { group: id, title, icon, parent } = event.data;
      return { ...structure, items: [...structure.items, { kind: 'group', id, title, icon, parent }] };
    }
    case 'SiteSectionGroupRenamed':
      return changeItem(structure, event.data.group, { title: event.data.title });
    case 'SiteSectionGroupIconChanged':
      return changeItem(structure, event.data.group, { icon: event.data.icon });
    case 'SiteSectionGroupMoved':
      return moveItem(structure, event.data.group, event.data);
    case 'SiteSectionGroupRemoved':
      return removeGroup(structure, event.data.group);
    default:
      return structure;
  }
}

const newSection = {
  kind: 'section',
  description: null,
  icon: null,
  condition: null,
  parent: null,
  defaultSpace: null,
} as const;

function addSection(structure: Structure, section: SectionState): Structure {
  const { items, defaultSection } = structure;
  return { ...structure, items: [...items, section], defaultSection: defaultSection ?? section.id };
}

/** All spaces of a site without sections become those of a section. */
function wrap(structure: Structure, { section: id, ...named }: { section: string; title: string; path: string }) {
  const wrapped = addSection(structure, { ...newSection, id, ...named, defaultSpace: structure.defaultSpace });
  return { ...wrapped, siteSpaces: wrapped.siteSpaces.map((one) => ({ ...one, section: id })), defaultSpace: null };
}

/** The spaces of the last section become those of a site without sections. */
function unwrap(structure: Structure, section: string): Structure {
  const siteSpaces = structure.siteSpaces.map((one) => ({ ...one, section: null }));
  return { ...removeSection(structure, section), siteSpaces, defaultSpace: defaultOf(structure, section) };
}

/** What was the default is followed by the next one in order, or else by the first one. */
function following(siblings: readonly { id: string }[], id: string): string | null {
  const index = siblings.findIndex((one) => one.id === id);
  const others = siblings.filter((one) => one.id !== id);
  return (siblings[index + 1] ?? others[0])?.id ?? null;
}

function removeSection(structure: Structure, section: string): Structure {
  const { items, defaultSection } = structure;
  const sections = items.filter(({ kind }) => kind === 'section');
  return {
    ...structure,
    items: items.filter(({ id }) => id !== section),
    defaultSection: defaultSection === section ? following(sections, section) : defaultSection,
  };
}

function removeSpace(structure: Structure, siteSpace: string): Structure {
  const removed = structure.siteSpaces.find(({ id }) => id === siteSpace);
  if (removed === undefined) return structure;
  const left = leave(structure, removed);
  return { ...left, siteSpaces: left.siteSpaces.filter(({ id }) => id !== siteSpace) };
}

/** The structure in which a space is not the default of its section any more. */
function leave(structure: Structure, { id, section }: SiteSpaceState): Structure {
  if (defaultOf(structure, section) !== id) return structure;
  return setDefault(structure, section, following(siteSpacesIn(structure, section), id));
}

function removeGroup(structure: Structure, group: string): Structure {
  const index = structure.items.findIndex(({ id }) => id === group);
  const removed = structure.items[index];
  if (removed === undefined) return structure;
  const children = itemsIn(structure, group).map((item) => ({ ...item, parent: removed.parent }));
  const rest = (from: number, to?: number): ItemState[] =>
    structure.items.slice(from, to).filter(({ parent }) => parent !== group);
  return { ...structure, items: [...rest(0, index), ...children, ...rest(index + 1)] };
}

/** The recorded default among the spaces of a section, or of a site without sections. */
function defaultOf(structure: Structure, section: string | null): string | null {
  if (section === null) return structure.defaultSpace;
  const found = structure.items.find(({ id }) => id === section);
  return found?.kind === 'section' ? found.defaultSpace : null;
}

function setDefault(structure: Structure, section: string | null, siteSpace: string | null): Structure {
  return section === null
    ? { ...structure, defaultSpace: siteSpace }
    : changeItem(structure, section, { defaultSpace: siteSpace });
}

/** The first space of a section is its default. */
function withDefault(structure: Structure, section: string | null, siteSpace: string): Structure {
  return defaultOf(structure, section) === null ? setDefault(structure, section, siteSpace) : structure;
}

function changeSpace(structure: Structure, id: string, fields: Partial<SiteSpaceState>): Structure {
  const siteSpaces = structure.siteSpaces.map((one) => (one.id === id ? { ...one, ...fields } : one));
  return { ...structure, siteSpaces };
}

function changeItem(structure: Structure, id: string, fields: Partial<Omit<SectionState, 'kind'>>): Structure {
  const items = structure.items.map((item) => (item.id === id ? { ...item, ...fields } : item));
  return { ...structure, items };
}

function moveSpace(
  structure: Structure,
  { siteSpace, section, after }: { siteSpace: string; section: string | null; after: string | null },
): Structure {
  const moved = structure.siteSpaces.find(({ id }) => id === siteSpace);
  if (moved === undefined) return structure;
  const left = moved.section === section ? structure : leave(structure, moved);
  const isSibling = (one: SiteSpaceState): boolean => one.section === section;
  const siteSpaces = placed(left.siteSpaces, { ...moved, section }, { after, isSibling });
  return withDefault({ ...left, siteSpaces }, section, siteSpace);
}

function moveItem(
  structure: Structure,
  id: string,
  { parent, after }: { parent: string | null; after: string | null },
): Structure {
  const moved = structure.items.find((item) => item.id === id);
  if (moved === undefined) return structure;
  const isSibling = (one: ItemState): boolean => one.parent === parent;
  return { ...structure, items: placed(structure.items, { ...moved, parent }, { after, isSibling }) };
}

/** A list in which one entry stands directly behind another one, or before all its siblings. */
function placed<T extends { id: string }>(
  list: readonly T[],
  moved: T,
  { after, isSibling }: { after: string | null; isSibling: (one: T) => boolean },
): T[] {
  const others = list.filter(({ id }) => id !== moved.id);
  const found = others.findIndex((one) => (after === null ? isSibling(one) : one.id === after));
  const index = found === -1 ? others.length : after === null ? found : found + 1;
  return [...others.slice(0, index), moved, ...others.slice(index)];
}
