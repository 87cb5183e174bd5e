import { describe, expect, it } from '@jest/globals';
import { statedIds } from './named-installations.js';

const of = (query: Record<string, string>, path = '/v1/integrations/slack/integration/oauth') =>
  statedIds(`${path}?${new URLSearchParams(query).toString()}`);

describe('the state of a login', () => {
  it('names installations as itself or within JSON', () => {
    expect(of({ code: 'c', state: 'i1' })).toEqual(['i1']);
    expect(of({ code: 'c', state: JSON.stringify({ installationId: 'i1', spaceId: 's1' }) })).toEqual(['i1', 's1']);
    expect(of({ code: 'c', state: JSON.stringify({ a: { installation: 'i2' }, b: 7 }) })).toEqual(['i2']);
    expect(statedIds('/x?code=c&state=other%20text&state=i3')).toEqual(['i3']);
  });

  it('counts only where there is a code', () => {
    expect(of({ state: 'i1' })).toEqual([]);
    expect(of({ code: 'c' })).toEqual([]);
    expect(statedIds('/v1/integrations/slack/integration')).toEqual([]);
  });

  it('may have any other form', () => {
    for (const state of ['a b', '{"', '{"a":"b c"}', JSON.stringify({ a: 'x'.repeat(5_000) })])
      expect(of({ code: 'c', state })).toEqual([]);
    for (const state of ['null', '7']) expect(of({ code: 'c', state })).toEqual([state]);
  });

  it.each([
    ['too long', JSON.stringify({ installationId: 'i1', more: 'x'.repeat(20_000) })],
    ['too deep', JSON.stringify({ a: { b: { c: { d: { installationId: 'i1' } } } } })],
    ['of too many texts', JSON.stringify([...Array.from({ length: 20 }, (_, n) => `other-${n}`), 'i1'])],
  ])('that is %s cannot be told', (_name, state) => {
    expect(of({ code: 'c', state })).toBeUndefined();
  });
});
