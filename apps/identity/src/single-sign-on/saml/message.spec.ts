import { describe, expect, it } from '@jest/globals';
import { readMessage } from './message.js';

const problem = (xml: string): unknown => {
  try {
    readMessage(Buffer.from(xml).toString('base64'));
    return null;
  } catch (error) {
    return (error as { details: { message: string }[] }).details[0]?.message;
  }
};
const around = (inside: string, attributes = ''): string =>
  `<p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion"${attributes}>${inside}</p:Response>`;

describe('a SAML message', () => {
  it('must be one response around one assertion', () => {
    expect(problem(around('<a:Assertion/>'))).toBeNull();
    expect(problem(`<?xml version="1.0" encoding="UTF-8"?>\n${around('<a:Assertion/>')}`)).toBeNull();
    expect(problem(around(''))).toBe('status');
    for (const inside of [
      '<a:Assertion/><a:Assertion/>',
      '<x><a:Assertion/></x>',
      '<p:Assertion/>',
      '<Assertion/>',
      '<a:EncryptedAssertion/>',
      '<a:Assertion/><p:Response/>',
      '<a:Assertion ID="x" id="x"/>',
      '<a:Assertion><Signature/></a:Assertion>',
    ])
      expect([inside, problem(around(inside))]).toEqual([inside, 'shape']);
    expect(problem('<a:Assertion xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion"/>')).toBe('shape');
  });

  it('must be XML that all parsers read alike', () => {
    for (const xml of [
      '',
      'text',
      '<p',
      around('<a:Assertion>'),
      around('<a:Assertion/><!-- -->'),
      around('<a:Assertion/><![CDATA[x]]>'),
      around('<a:Assertion/><?php x?>'),
      around('<a:Assertion x=1/>'),
      `text${around('<a:Assertion/>')}`,
      `<?xml version="1.0"?>text${around('<a:Assertion/>')}`,
      `${around('<a:Assertion/>')}text`,
      `${around('<a:Assertion/>')}<x/>`,
      around('<a:Assertion>&unknown;</a:Assertion>'),
    ])
      expect([xml, problem(xml)]).toEqual([xml, 'malformed']);
    const latin = Buffer.from(around('<a:Assertion>é</a:Assertion>'), 'latin1').toString('base64');
    expect(() => readMessage(latin)).toThrow(expect.objectContaining({ reason: 'unauthenticated' }));
  });

  it.each([
    ['many elements', around('<x/>'.repeat(45_000))],
    ['deep elements', around('<x>'.repeat(25_000) + '</x>'.repeat(25_000))],
    ['many attributes', around('<a:Assertion/>', Array.from({ length: 20_000 }, (_, i) => ` a${i}=""`).join(''))],
    [
      'attributes of many elements',
      around(`<x ${Array.from({ length: 199 }, (_, i) => `a${i}=""`).join(' ')}/>`.repeat(100)),
    ],
    [
      'as many attributes as there may be',
      around(`<x ${Array.from({ length: 49 }, (_, i) => `a${i}=""`).join(' ')}/>`.repeat(100)),
    ],
    ['many namespaces', around(Array.from({ length: 3_000 }, (_, i) => `<x xmlns:n${i}="u${i}">`).join(''))],
    ['many entities', around(`<a:Assertion>${'&amp;'.repeat(35_000)}</a:Assertion>`)],
    ['one long name', around(`<${'x'.repeat(190_000)}/>`)],
    ['open brackets', '<'.repeat(190_000)],
    ['quotes', around(`<a:Assertion b="${"'".repeat(180_000)}"/>`)],
    ['more than the bound', around(`<a:Assertion>${'x'.repeat(200 * 1024)}</a:Assertion>`)],
  ])('with %s is read or refused with little work', (_name, xml) => {
    const before = process.cpuUsage();
    problem(xml);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
