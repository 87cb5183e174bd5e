import { describe, expect, it } from '@jest/globals';
import { checkSegment } from './check-segment.js';
import { holdTerms, termsIn } from './glossary.js';

const terms = ['space', 'spaces page', 'Change Request', 'request', 'R&D', 'C++', 'sign-in', 'Top'].map((source) => ({
  source,
  target: `[${source}]`,
}));
const found = (segment: string) => termsIn(segment, terms, 'en').map(({ source }) => source);
const held = (segment: string) => holdTerms(segment, terms, { language: 'en', firstId: 900 });

describe('terms of a segment', () => {
  it('are whole words, whatever their case and ending', () => {
    expect(found('Open the Spaces')).toEqual(['space']);
    expect(found('Workspaces, spacious, stop')).toEqual([]);
  });

  it('are the longest ones at their place', () => {
    expect(found('A change request is open')).toEqual(['Change Request']);
    expect(found('A change request is a request')).toEqual(['Change Request', 'request']);
    expect(found('The spaces page')).toEqual(['spaces page']);
    const both = [{ source: 'space' }, { source: 'spaces' }];
    expect(termsIn('The spaces', both, 'en')).toEqual([{ source: 'spaces' }]);
  });

  it('have the same signs inside and around them', () => {
    expect(found('R&amp;D writes C++')).toEqual(['R&D', 'C++']);
    expect(found('R, D and C')).toEqual([]);
    expect(found('Use the sign-in or sign in')).toEqual(['sign-in']);
    expect(found('A change. Request it')).toEqual(['request']);
    expect(found('A change  request')).toEqual(['Change Request']);
  });

  it('are none in addresses and placeholders, or with a tag in them', () => {
    expect(found('See https://example.org/space and {{space}}')).toEqual([]);
    expect(found('A change <g id="1">request</g>')).toEqual(['request']);
    expect(found('A <broken> space')).toEqual([]);
  });

  it('are held back where they are found, with what is written there', () => {
    const { text, held: tags } = held('Open <g id="1">the spaces &amp; R&amp;D</g> of {{space}}<x id="2"/>');
    expect(text).toBe('Open <g id="1">the <x id="900"/> &amp; <x id="901"/></g> of {{space}}<x id="2"/>');
    expect([...tags].map(([id, { term, written }]) => [id, term.source, written])).toEqual([
      [900, 'space', 'spaces'],
      [901, 'R&D', 'R&D'],
    ]);
    expect(held('A <broken> space')).toEqual({ text: 'A <broken> space', held: new Map() });
  });

  it('are in a text in which each stands as the glossary says, where it was held back', () => {
    for (const source of ['The spaces page', 'Spaces, change requests and R&amp;D', 'Sign-in for C++ at {{space}}']) {
      const { text, held: tags } = held(source);
      const target = text.replace(/<x id="(\d+)"\/>/g, (_, id: string) => {
        return (tags.get(Number(id))?.term.target ?? '').replace('&', '&amp;');
      });
      expect(checkSegment(source, target, { from: 'en', to: 'de', terms })).toEqual([]);
    }
  });
});
