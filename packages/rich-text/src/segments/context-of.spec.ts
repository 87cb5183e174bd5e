import { describe, expect, it } from '@jest/globals';
import { parseMarkdown, segmentsOf } from '../index.js';
import { contextOf } from './context-of.js';

describe('the context of segments', () => {
  it('is what a heading says, on one line and without what is never translated', () => {
    expect(contextOf('Set <g id="1">up</g> R&amp;D <x id="2"/>\n\u0007now')).toBe('Set up R&D now');
    const { document } = parseMarkdown('# A & b\n\nSee it.\n');
    expect(segmentsOf(document)[1]?.headings).toEqual(['A & b']);
  });

  it('is cut between characters as people see them', () => {
    const family = '👩‍👩‍👧‍👦';
    expect(contextOf(`${'x'.repeat(195)}${family}y`)).toBe('x'.repeat(195));
    expect(contextOf(`${'x'.repeat(195)}e\u0301${'y'.repeat(9)}`)).toBe(`${'x'.repeat(195)}e\u0301yyy`);
    expect(contextOf('x'.repeat(200))).toHaveLength(200);
  });
});
