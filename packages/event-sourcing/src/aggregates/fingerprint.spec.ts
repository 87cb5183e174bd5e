import { describe, expect, it } from '@jest/globals';
import { fingerprintOf } from './fingerprint.js';

/** A function with this source. */
const code = (source: string): unknown => Object.assign(() => undefined, { toString: () => source });
const of = (source: string) => fingerprintOf('team_v1', ['TeamCreated'], code(source));

describe('a fingerprint', () => {
  it('stays the same when comments and layout change', () => {
    const dense = of('(doc,event)=>{if(event.type==="A")return{...doc,a:1};return doc}');
    expect(
      of(`(doc, event) => {
      // why
      if (event.type === "A")
        return {
          ...doc,
          a: 1,
        };
      return doc
    }`),
    ).toBe(dense);
  });

  it('changes with the code, the types and the version', () => {
    const all = [
      of('(doc) => doc.a'),
      of('(doc) => doc.b'),
      fingerprintOf('team_v2', ['TeamCreated'], code('(doc) => doc.a')),
      fingerprintOf('team_v1', ['TeamRenamed'], code('(doc) => doc.a')),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
