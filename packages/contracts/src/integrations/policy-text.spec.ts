import { describe, expect, it } from '@jest/globals';
import { frameSources, policyText, sourceOf } from './policy-text.js';

describe('the sources of frames of an integration', () => {
  it('are those that its policy states, by https', () => {
    const policy = "default-src 'none'; frame-src https://a.example *.b.example https://c.example:8443/embed/";
    expect(frameSources(policy)).toEqual(['https://a.example', 'https://*.b.example', 'https://c.example:8443/embed/']);
    expect(frameSources('frame-src https://a.example:* b.example:*/x wss://c.example')).toEqual([
      'https://a.example:*',
      'https://b.example:*/x',
    ]);
    expect(frameSources({ 'frame-src': 'https://a.example', 'script-src': 'https://b.example' })).toEqual([
      'https://a.example',
    ]);
  });

  it('are hosts, and nothing that stands for any', () => {
    const wide = ['*', 'https:', "'self'", "'none'", 'data:', 'http://a.example', 'https://*', 'https://localhost'];
    const odd = [
      'https://user@a.example',
      'https://a.example?x',
      "https://a.example'",
      'https://a.*.example',
      'wss://a.b',
    ];
    expect(frameSources({ 'frame-src': [...wide, ...odd].join(' ') })).toEqual([]);
    expect([frameSources(null), frameSources(''), frameSources("script-src 'self'")]).toEqual([[], [], []]);
    const many = Array.from({ length: 30 }, (_, index) => `a${index}.example`).join(' ');
    expect(frameSources({ 'frame-src': many })).toHaveLength(20);
    expect(policyText({ 'frame-src': 'a.example, b.example' })).toBeUndefined();
  });
});

describe('a source of a policy', () => {
  const source = { scheme: undefined, host: 'a.example', isBelow: false, port: '', path: '' };
  it.each([
    ['a.example', source],
    ['HTTPS://A.Example', { ...source, scheme: 'https' }],
    ['wss://a.example', { ...source, scheme: 'wss' }],
    ['https://*.a.example:8443/embed/', { ...source, scheme: 'https', isBelow: true, port: '8443', path: '/embed/' }],
    ['a.example:*/x', { ...source, port: '*', path: '/x' }],
  ])('%s names a host', (text, expected) => {
    expect(sourceOf(text)).toEqual(expected);
  });

  it.each([
    '',
    '*',
    'https:',
    "'self'",
    'http://a.example',
    'a',
    'https://*',
    '*:*',
    'a.example:',
    'a.example?x',
    'u@a.example',
  ])('%s names none', (text) => {
    expect(sourceOf(text)).toBeUndefined();
  });
});
