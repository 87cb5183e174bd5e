import { replaceBlocks, type Block, type RichDocument } from '@scriptorium/rich-text';

/** What integrations answer that are asked to show a block, by their names. */
export type Rendered = Readonly<Record<string, () => Response | Promise<Response>>>;

/** A frame of `frames.example`, with a text before it. */
export const rendered = {
  type: 'element',
  element: {
    type: 'block',
    children: [
      { type: 'text', children: [{ type: 'text', style: 'bold', children: 'Renderedword' }] },
      { type: 'webframe', source: { url: 'https://frames.example/chart?of=1' }, aspectRatio: 1.8 },
    ],
  },
  state: {},
  props: {},
};

/** What the reader gets of an API with integrations that show blocks: what is said of these, and what they render. */
export function withIntegrations(renders: Rendered) {
  return async (url: string, answer: Response): Promise<Response> => {
    const [, name = ''] = /\/integrations\/([\w-]+)\/render$/.exec(url) ?? [];
    const render = Object.hasOwn(renders, name) ? renders[name] : undefined;
    if (render !== undefined) return render();
    if (!/\/page\/[^/]+$/.test(new URL(url).pathname) || answer.status !== 200) return answer;
    const page = (await answer.json()) as { document?: RichDocument };
    const document = page.document && replaceBlocks(page.document, (block) => resolvedIn(block, renders));
    return Response.json({ ...page, document });
  };
}

function resolvedIn({ type, data, ...block }: Block, renders: Rendered): Block[] | undefined {
  const { integration: named } = data;
  const name = typeof named === 'string' ? named : '';
  if (type !== 'integration' || !Object.hasOwn(renders, name)) return undefined;
  const integration = { name, title: 'Acme', version: 1 };
  const about = { title: 'Plot', description: 'Plots & more', icon: 'https://files.example/icon.png' };
  const resolved = { ...about, integration, component: 'plot', frames: ['https://frames.example'] };
  return [{ type, ...block, data: { ...data, resolved } }];
}
