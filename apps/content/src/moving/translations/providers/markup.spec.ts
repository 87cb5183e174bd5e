import { describe, expect, it } from '@jest/globals';
import { checkSegment } from '@scriptorium/rich-text';
import { fromMarkup, toMarkup } from './markup.js';

const text = 'Press <g id="1">Save</g> and <x id="2"/> it';
const marked = toMarkup(text, { terms: [{ source: 'Save', target: 'Sichern' }], from: 'en' });

describe('markup of providers', () => {
  it('is read however tags are written', () => {
    expect(marked.text).toBe('Press <g id="1"><x id="900000"></x></g> and <x id="2"></x> it');
    const written = ['< G  id = \'1\' ><x class="a" id=900000 /></ g > und <X ID=2></X> es', marked.text];
    expect(written.map((answer) => fromMarkup(answer, marked))).toEqual([
      '<g id="1">Sichern</g> und <x id="2"/> es',
      'Press <g id="1">Sichern</g> and <x id="2"/> it',
    ]);
  });

  it('that is no tag of a segment stays, and is refused', () => {
    for (const answer of ['<g <g id="1">Sichern</g>', `<g ${' '.repeat(500)}id="1">`, '<g id="1"'.repeat(80)]) {
      const target = fromMarkup(answer, marked);
      expect(checkSegment(text, target, { from: 'en', to: 'de' })).toEqual(['markup']);
    }
  });

  it('that is by far too long is not read', () => {
    const answer = '<g <g '.repeat(300_000);
    expect(fromMarkup(answer, marked)).toBe(answer);
    expect(checkSegment(text, answer, { from: 'en', to: 'de' })).toEqual(['length']);
  });
});
