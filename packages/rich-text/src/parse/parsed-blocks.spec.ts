import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS } from '../model/limits.js';
import { voidBlock } from '../model/build.js';
import { type Data, type RichDocument } from '../model/types.js';
import { apiBlocks } from '../text/api-blocks.js';
import { toMarkdown } from '../write/write.js';
import { parseMarkdown } from './parse.js';
import { withApiBlocksWritten, withParsedBlocks } from './parsed-blocks.js';

const operation =
  '{% openapi-operation spec="s" path="/a" method="get" %}\n[OpenAPI s](/openapi/s)\n{% endopenapi-operation %}';
const { document } = parseMarkdown(
  `Before.\n\n{% tabs %}\n{% tab title="A" %}\n${operation}\n{% endtab %}\n{% endtabs %}\n\n${operation.replace('/a', '/b')}`,
);

describe('blocks of APIs', () => {
  it('are found at any depth, in reading order', () => {
    expect(apiBlocks(document).map(({ data }) => data['path'])).toEqual(['/a', '/b']);
  });

  it('can become what markdown says; others stay', () => {
    const written = toMarkdown(
      withParsedBlocks(document, ({ data }) => (data['path'] === '/a' ? 'One **word**.\n\n```\nunclosed' : undefined)),
    );
    expect(written).toContain('{% tab title="A" %}\nOne **word**.\n\n```\nunclosed\n```\n{% endtab %}');
    expect(written).toContain('path="/b"');
    expect(toMarkdown(withParsedBlocks(document, () => null))).toBe(toMarkdown(document));
  });

  it('stay when what they show is too complex', () => {
    const tooLong = `${'x'.repeat(DEFAULT_LIMITS.maxBytes)} x`;
    expect(
      apiBlocks(withParsedBlocks(document, ({ type }) => (type === 'openapi-operation' ? tooLong : null))),
    ).toHaveLength(2);
  });

  it('become a link when they lead to a whole specification that can be downloaded', () => {
    const ref = { kind: 'openapi', spec: 's' };
    const href = 'https://files.example/openapi/o/s.json';
    const whole = (data: Data): RichDocument => ({ ...document, nodes: [voidBlock('content-ref', { ref, ...data })] });
    const written = (data: Data) => toMarkdown(withApiBlocksWritten(whole(data), () => []));
    expect(written({ resolved: { title: 's', href } })).toBe(`[s.json](${href})\n`);
    expect(written({ resolved: { title: 's', href }, title: 'All of *it*' })).toBe(`[All of \\*it\\*](${href})\n`);
    for (const data of [{}, { resolved: null }, { resolved: { title: 's' } }])
      expect(written(data)).toBe(toMarkdown(whole(data)));
    const page = { ...whole({ ref: { kind: 'page', page: 'p' }, resolved: { title: 'P', href: '/p' } }) };
    expect(withApiBlocksWritten(page, () => [])).toEqual(page);
  });
});
