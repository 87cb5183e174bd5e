import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS } from '../model/limits.js';
import { apiBlocks } from '../text/api-blocks.js';
import { toMarkdown } from '../write/write.js';
import { parseMarkdown } from './parse.js';
import { withParsedBlocks } from './parsed-blocks.js';

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
});
