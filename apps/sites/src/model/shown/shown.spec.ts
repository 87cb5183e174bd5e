import { describe, expect, it } from '@jest/globals';
import type { Claims } from '@scriptorium/expressions';
import { shownStructure, withLivingDefaults, type SiteViewer } from './shown.js';
import type { GroupState, SectionState, SiteSpaceState, Structure } from '../structure/structure.js';

const siteSpace = (id: string, more: Partial<SiteSpaceState> = {}): SiteSpaceState => ({
  id,
  space: `space-${id}`,
  section: null,
  path: id,
  condition: null,
  hidden: false,
  ...more,
});
const section = (id: string, more: Partial<SectionState> = {}): SectionState => ({
  kind: 'section',
  id,
  title: id,
  path: id,
  description: null,
  icon: null,
  condition: null,
  parent: null,
  defaultSpace: null,
  ...more,
});
const group = (id: string, parent: string | null = null): GroupState => ({
  kind: 'group',
  id,
  title: id,
  icon: null,
  parent,
});
const adaptiveSchema = {
  type: 'object',
  properties: { beta: { type: 'boolean' } },
  additionalProperties: false,
};
const site = (structure: Partial<Structure>, adaptiveContent = true) => ({
  adaptiveContent,
  adaptiveSchema,
  structure: { items: [], siteSpaces: [], defaultSection: null, defaultSpace: null, ...structure },
});
const member: SiteViewer = { kind: 'member' };
const visitor = (claims: Claims = {}): SiteViewer => ({ kind: 'visitor', claims });
const all = () => true;
const ids = (shown: Structure): string[] => [...shown.items, ...shown.siteSpaces].map(({ id }) => id);
const beta = 'visitor.claims.beta';

describe('what a viewer sees of a site', () => {
  it('is everything for members, but for hidden and deleted spaces', () => {
    const siteSpaces = [siteSpace('1', { hidden: true }), siteSpace('2'), siteSpace('3', { condition: beta })];
    const shown = shownStructure(site({ siteSpaces }), member, (space) => space !== 'space-2');
    expect(ids(shown)).toEqual(['3']);
    expect(shown.siteSpaces[0]?.condition).toBe(beta);
  });

  it('is for visitors what the conditions let them see, without the conditions', () => {
    const items = [section('a'), section('b', { condition: beta })];
    const siteSpaces = [
      siteSpace('1', { section: 'a' }),
      siteSpace('2', { section: 'a', condition: beta }),
      siteSpace('3', { section: 'b' }),
    ];
    const seen = (viewer: SiteViewer) => shownStructure(site({ items, siteSpaces }), viewer, all);
    expect(ids(seen(visitor()))).toEqual(['a', '1']);
    expect(ids(seen(visitor({ beta: false })))).toEqual(['a', '1']);
    const shown = seen(visitor({ beta: true, other: 'x' }));
    expect(ids(shown)).toEqual(['a', 'b', '1', '2', '3']);
    expect([...sectionsIn(shown), ...shown.siteSpaces].every(({ condition }) => condition === null)).toBe(true);
  });

  it('ignores claims while adaptive content is off, and conditions that are broken let nobody pass', () => {
    const siteSpaces = [siteSpace('1', { condition: beta }), siteSpace('2', { condition: 'broken(' })];
    expect(ids(shownStructure(site({ siteSpaces }, false), visitor({ beta: true }), all))).toEqual([]);
    expect(ids(shownStructure(site({ siteSpaces }), visitor({ beta: true }), all))).toEqual(['1']);
  });

  it('has no sections and groups in which nothing is left', () => {
    const items = [group('g'), group('h', 'g'), section('a', { parent: 'h' }), group('empty'), section('b')];
    const siteSpaces = [siteSpace('1', { section: 'a' })];
    expect(ids(shownStructure(site({ items, siteSpaces }), visitor(), all))).toEqual(['g', 'h', 'a', '1']);
  });

  it('has the next space as the default, when the viewer does not see the default space', () => {
    const siteSpaces = [siteSpace('1'), siteSpace('2'), siteSpace('3')];
    const defaultOf = (defaultSpace: string, gone: string) =>
      shownStructure(site({ siteSpaces, defaultSpace }), member, (space) => space !== `space-${gone}`).defaultSpace;
    expect([defaultOf('2', '1'), defaultOf('2', '2'), defaultOf('3', '3')]).toEqual(['2', '3', '1']);
    const { structure } = site({ siteSpaces, defaultSpace: '2' });
    const living = withLivingDefaults(structure, (space) => space !== 'space-2');
    expect([living.defaultSpace, living.siteSpaces.length]).toEqual(['3', 3]);
  });
});

function sectionsIn({ items }: Structure): SectionState[] {
  return items.filter((item) => item.kind === 'section');
}
