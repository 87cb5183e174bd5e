import { describe, expect, it } from '@jest/globals';
import { voidBlock } from '../model/build.js';
import { type Data } from '../model/types.js';
import { toMarkdown } from '../write/write.js';
import { withIntegrationsWritten } from '../write/written-integrations.js';
import { integrationBlocks, integrationCard } from './integration-blocks.js';

const block = (data: Data) => voidBlock('integration', { integration: 'acme', block: 'plot', props: {}, ...data });
const resolved = {
  title: 'Plot',
  description: 'Draws a plot',
  icon: 'https://files.example/i.png',
  integration: { name: 'acme', title: 'Acme Plots', version: 2 },
};

describe('a block of an integration', () => {
  it('says what its author and its integration say', () => {
    expect(integrationCard(block({ resolved, url: 'https://acme.example/1' }))).toEqual({
      title: 'Plot',
      description: 'Draws a plot',
      url: 'https://acme.example/1',
      content: '',
      integration: 'Acme Plots',
      icon: 'https://files.example/i.png',
    });
    const props = { title: 'Sales', description: 'Of May', url: 'https://acme.example/2', content: 'a > b' };
    expect(integrationCard(block({ resolved, props }))).toMatchObject({ ...props, integration: 'Acme Plots' });
    expect(integrationCard(block({ resolved: null }))).toMatchObject({ title: 'acme', integration: 'acme' });
  });

  it('leads to addresses of the web alone, and takes nothing that is no text', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', '//a.example', 'https://', 7, { href: 'x' }])
      expect(integrationCard(block({ url, props: { url, title: url }, resolved: { icon: url } }))).toMatchObject({
        url: undefined,
        icon: undefined,
      });
    expect(integrationCard(block({ props: 3, resolved: 'x', url: 'https://a.example' })).title).toBe(
      'https://a.example',
    );
  });

  it('is written as text for those who cannot have it shown', () => {
    const inside = voidBlock('expandable', {}, [
      { object: 'fragment', fragment: 'expandable-body', nodes: [block({ resolved })] },
    ]);
    const props = { title: 'a [b] *c*', content: 'x\n```\ny' };
    const nodes = [block({ resolved, url: 'https://acme.example/1' }), block({ props }), inside];
    const document = { object: 'document' as const, data: {}, nodes };
    expect(integrationBlocks(document)).toHaveLength(3);
    const markdown = toMarkdown(withIntegrationsWritten(document));
    expect(markdown).toContain('[Plot](https://acme.example/1): Draws a plot');
    expect(markdown).toContain('````\nx\n```\ny\n````');
    expect(markdown).toContain('**Plot**: Draws a plot');
    expect(markdown).not.toContain('{% @');
    expect(markdown).toMatch(/a \\?\[b\\?\] \\\*c/);
  });
});
