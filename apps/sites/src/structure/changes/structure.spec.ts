import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { SiteEvent } from '../../model/site.events.js';
import { site } from '../../model/index.js';
import { addGroup, changeGroup, removeGroup } from './section-groups.js';
import { addSection, changeSection, removeSection } from './sections.js';
import { addSpace, changeSpace, removeSpace } from './site-spaces.js';
import { sort, type Pointer } from './sort.js';

const created: SiteEvent = {
  type: 'SiteCreated',
  data: { organization: 'o', title: 'Docs', type: 'basic', visibility: 'public', basename: 'docs' },
};
const onSite = (siteSpace: string, section: string | null = null, path = siteSpace): SiteEvent => ({
  type: 'SiteSpaceAdded',
  data: { siteSpace, space: `space-${siteSpace}`, section, path },
});
const section = (id: string, group: string | null = null): SiteEvent => ({
  type: 'SiteSectionAdded',
  data: { section: id, title: id, path: id, icon: null, group },
});
const group = (id: string, parent: string | null = null): SiteEvent => ({
  type: 'SiteSectionGroupAdded',
  data: { group: id, title: id, icon: null, parent },
});
const limits = { siteSpacesPerSite: 3, sectionsPerSite: 3, sectionGroupsPerSite: 6 };
const newSpace = { id: 'new', space: { id: 'space-new', title: 'New Space' } };
const wanted = { id: 's', wrapping: 'w', title: null, icon: null, group: null, added: newSpace, limits };

describe('the spaces of a site', () => {
  const add = (sectionId?: string) => (state: typeof site.initial) =>
    addSpace(state, { section: sectionId, added: newSpace, limits });
  const added = (sectionId: string | null, path = 'new-space'): SiteEvent => ({
    type: 'SiteSpaceAdded',
    data: { siteSpace: 'new', space: 'space-new', section: sectionId, path },
  });

  it('are added at the end, to the default section unless another one is named', () => {
    given(site, [created])
      .when(add())
      .then([added(null)]);
    given(site, [created, section('a'), section('b')])
      .when(add())
      .then([added('a')]);
    given(site, [created, section('a'), section('b')])
      .when(add('b'))
      .then([added('b')]);
  });

  it('have a path of their own among those beside them', () => {
    given(site, [created, onSite('1', null, 'new-space')])
      .when(add())
      .then([added(null, 'new-space-2')]);
    const reserved = { id: 'new', space: { id: 'space-new', title: '日本' } };
    given(site, [created])
      .when((state) => addSpace(state, { section: undefined, added: reserved, limits }))
      .then([added(null, 'space-1')]);
  });

  it('contain each space once, and no more spaces than the limit', () => {
    given(site, [created, onSite('new')])
      .when(add())
      .then([]);
    given(site, [created, { ...onSite('1'), data: { ...onSite('1').data, space: 'space-new' } } as SiteEvent])
      .when(add())
      .thenFails('already_exists');
    given(site, [created, onSite('1'), onSite('2'), onSite('3')])
      .when(add())
      .thenFails('limit_reached');
    given(site, []).when(add()).thenFails('not_found');
  });

  it('record an event only for a setting that differs', () => {
    const history = [created, onSite('1'), onSite('2')];
    given(site, history)
      .when((state) => changeSpace(state, '1', { path: '1', hidden: true, condition: '' }))
      .then([{ type: 'SiteSpaceHidden', data: { siteSpace: '1' } }]);
    given(site, history)
      .when((state) => changeSpace(state, '1', { path: '2' }))
      .thenFails('already_exists');
    given(site, history)
      .when((state) => changeSpace(state, '1', { condition: 'a(' }))
      .thenFails('condition_invalid');
    given(site, history)
      .when((state) => removeSpace(state, 'none'))
      .then([]);
  });
});

describe('the sections of a site', () => {
  it('begin with a section that contains the spaces of the site', () => {
    given(site, [created, onSite('1')])
      .when((state) => addSection(state, wanted))
      .then([
        { type: 'SiteSpacesWrapped', data: { section: 'w', title: 'Docs', path: 'docs' } },
        {
          type: 'SiteSectionAdded',
          data: { section: 's', title: 'New Space', path: 'new-space', icon: null, group: null },
        },
        { type: 'SiteSpaceAdded', data: { siteSpace: 'new', space: 'space-new', section: 's', path: 'new-space' } },
      ]);
  });

  it('are named with two characters at least', () => {
    const named = (title: string) => ({ ...wanted, added: { id: 'new', space: { id: 'space-new', title } } });
    given(site, [created])
      .when((state) => addSection(state, named('X')).slice(0, 1))
      .then([{ type: 'SiteSectionAdded', data: { section: 's', title: 'X ', path: 'x', icon: null, group: null } }]);
    given(site, [created])
      .when((state) => addSection(state, named(' ')).slice(0, 1))
      .then([
        {
          type: 'SiteSectionAdded',
          data: { section: 's', title: 'Untitled', path: 'untitled', icon: null, group: null },
        },
      ]);
  });

  it('take their spaces with them, but for the last one', () => {
    const two = [created, section('a'), section('b'), onSite('1', 'a'), onSite('2', 'b')];
    given(site, two)
      .when((state) => removeSection(state, 'a'))
      .then([
        { type: 'SiteSpaceRemoved', data: { siteSpace: '1' } },
        { type: 'SiteSectionRemoved', data: { section: 'a' } },
      ]);
    given(site, [created, section('a'), onSite('1', 'a')])
      .when((state) => removeSection(state, 'a'))
      .then([{ type: 'SiteSpacesUnwrapped', data: { section: 'a' } }]);
  });

  it('leave their condition to their spaces, when these stay', () => {
    const [own, of] = ['visitor.claims.b', 'visitor.claims.a'];
    const condition = (siteSpace: string, text: string): SiteEvent => ({
      type: 'SiteSpaceConditionChanged',
      data: { siteSpace, condition: text },
    });
    given(site, [
      created,
      section('a'),
      onSite('1', 'a'),
      onSite('2', 'a'),
      condition('2', own),
      { type: 'SiteSectionConditionChanged', data: { section: 'a', condition: of } },
    ])
      .when((state) => removeSection(state, 'a'))
      .then([
        condition('1', of),
        condition('2', `(${of}) && (${own})`),
        { type: 'SiteSpacesUnwrapped', data: { section: 'a' } },
      ]);
  });

  it('have a default among their own spaces', () => {
    const history = [created, section('a'), section('b'), onSite('1', 'a'), onSite('2', 'a'), onSite('3', 'b')];
    given(site, history)
      .when((state) => changeSection(state, 'a', { defaultSiteSpace: '2' }))
      .then([{ type: 'SiteDefaultSpaceChanged', data: { section: 'a', siteSpace: '2' } }]);
    given(site, history)
      .when((state) => changeSection(state, 'a', { defaultSiteSpace: '3' }))
      .thenFails('invalid_request');
  });
});

describe('section groups', () => {
  const nested = [created, group('1'), group('2', '1'), group('3', '2'), group('4', '3'), group('5', '4')];

  it('stand at most five deep, and never in themselves', () => {
    given(site, nested)
      .when((state) => addGroup(state, { id: '6', title: '6', icon: null, parent: '5', sections: [], limits }))
      .thenFails('invalid_request');
    given(site, nested)
      .when((state) => changeGroup(state, '1', { parent: '3' }))
      .thenFails('invalid_request');
    given(site, [...nested, group('x')])
      .when((state) => changeGroup(state, '4', { parent: 'x' }))
      .then([{ type: 'SiteSectionGroupMoved', data: { group: '4', parent: 'x', after: null } }]);
  });

  it('are removed once', () => {
    given(site, nested)
      .when((state) => removeGroup(state, 'none'))
      .then([]);
  });
});

describe('sorting', () => {
  const history = [created, section('a'), section('b'), group('g'), section('c', 'g')];
  const of = (id: string, type: Pointer['type'] = 'site-section'): Pointer => ({ type, id });
  const sorting =
    (item: Pointer, position: { before?: Pointer; after?: Pointer }, among: 'siblings' | 'all' = 'all') =>
    (state: typeof site.initial) =>
      sort(state, { item, position, among });
  const moved = (id: string, parent: string | null, after: string | null): SiteEvent => ({
    type: 'SiteSectionMoved',
    data: { section: id, group: parent, after },
  });

  it('moves directly before or behind a sibling, and records nothing where it stands already', () => {
    given(site, history)
      .when(sorting(of('b'), { before: of('a') }))
      .then([moved('b', null, null)]);
    given(site, history)
      .when(sorting(of('a'), { after: of('b') }))
      .then([moved('a', null, 'b')]);
    given(site, history)
      .when(sorting(of('a'), { before: of('b') }))
      .then([]);
    given(site, history)
      .when(sorting(of('a'), { after: of('a') }))
      .then([]);
  });

  it('moves into other groups, but not among siblings', () => {
    given(site, history)
      .when(sorting(of('a'), { after: of('c') }))
      .then([moved('a', 'g', 'c')]);
    given(site, history)
      .when(sorting(of('a'), { after: of('c') }, 'siblings'))
      .thenFails('position_invalid');
  });

  it('refuses an item that is not on the site, and a position with both or neither of before and after', () => {
    given(site, history)
      .when(sorting(of('none'), { after: of('a') }))
      .thenFails('not_found');
    given(site, history)
      .when(sorting(of('a'), { after: of('none') }))
      .thenFails('not_found');
    given(site, history)
      .when(sorting(of('a'), {}))
      .thenFails('position_invalid');
    given(site, history)
      .when(sorting(of('a'), { before: of('b'), after: of('b') }))
      .thenFails('position_invalid');
    given(site, history)
      .when(sorting(of('g', 'site-section-group'), { after: of('c') }))
      .thenFails('invalid_request');
  });
});
