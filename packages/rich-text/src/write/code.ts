import { type Block, type Data, type Node } from '../model/types.js';
import { type Md } from '../syntax/md.js';
import { attributes, htmlText } from './attributes.js';
import { html, optional, str, tag, type WriteContext } from './context.js';

const lineText = (line: Node): string =>
  line.object === 'text'
    ? line.leaves.map((leaf) => leaf.text).join('')
    : line.object === 'block'
      ? (line.nodes ?? []).map(lineText).join('')
      : inlineText(line.data, line.nodes);

const inlineText = (data: Data, nodes: Node[] | undefined): string =>
  str(data['expression']) + (nodes ?? []).map(lineText).join('');

const isRich = (line: Node): boolean =>
  line.object === 'block' &&
  (line.data['highlighted'] === true || (line.nodes ?? []).some((child) => child.object === 'inline'));

/** Options in the order in which they are written. */
function options(data: Data): { [name: string]: Data[string] } {
  const { title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = data;
  return { title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount };
}

function fence(node: Block): Md {
  const value = (node.nodes ?? []).map(lineText).join('\n');
  return {
    type: 'code',
    lang: optional(node.data['syntax']) ?? null,
    meta: optional(node.data['info']) ?? null,
    value,
  };
}

/** True for what stands behind the language of a fence, where there is no language that it could stand behind. */
const hasBareInfo = ({ data }: Block): boolean =>
  optional(data['info']) !== undefined && optional(data['syntax']) === undefined;

/** A code block: a fence, a fence inside a tag with its options, or `<pre>` when lines are marked or annotated. */
export function code(ctx: WriteContext, node: Block): Md[] {
  if (hasBareInfo(node) || (node.nodes ?? []).some(isRich)) return [pre(ctx, node)];
  const rest = attributes(options(node.data));
  return rest === '' ? [fence(node)] : [tag(`{% code${rest} %}`, 'open'), fence(node), tag('{% endcode %}', 'close')];
}

export function prompt(ctx: WriteContext, node: Block): Md[] {
  const { description, icon, openInAIProviders, defaultExpanded } = node.data;
  const inside = (node.nodes ?? []).flatMap((child) => (child.object === 'block' ? code(ctx, child) : []));
  return [
    tag(`{% prompt${attributes({ description, icon, openInAIProviders, defaultExpanded })} %}`, 'open'),
    ...inside,
    tag('{% endprompt %}', 'close'),
  ];
}

function pre(ctx: WriteContext, node: Block): Md {
  const { title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = node.data;
  const syntax = optional(node.data['syntax']);
  const own = attributes(
    {
      class: syntax && `language-${syntax}`,
      'data-info': optional(node.data['info']),
      'data-title': title,
      'data-overflow': overflow,
      'data-line-numbers': lineNumbers,
      'data-full-width': fullWidth === true ? 'true' : undefined,
      'data-expandable': expandable === true ? 'true' : undefined,
      'data-collapsed-line-count': collapsedLineCount,
    },
    true,
  );
  const lines = (node.nodes ?? []).map((line) =>
    line.object === 'block' ? preLine(ctx, line) : htmlText(lineText(line)),
  );
  return html(
    `<pre${own}><code${attributes({ class: syntax && `lang-${syntax}` })}>${lines.join('\n')}\n</code></pre>`,
  );
}

function preLine(ctx: WriteContext, line: Block): string {
  const text = (line.nodes ?? []).map((child) => preInline(ctx, child)).join('');
  return line.data['highlighted'] === true ? `<strong>${text}</strong>` : text;
}

function preInline(ctx: WriteContext, node: Node): string {
  if (node.object !== 'inline') return htmlText(lineText(node));
  if (node.type === 'expression') return `<code class="expression">${htmlText(str(node.data['expression']))}</code>`;
  if (node.type !== 'annotation') return htmlText(lineText(node));
  const label = String(ctx.footnotes.length + 1);
  const definition: Md = { type: 'footnoteDefinition', identifier: label, label, children: [] };
  ctx.footnotes.push(definition);
  definition.children = ctx.blocks((node.fragments ?? []).flatMap((part) => part.nodes));
  return `<a data-footnote-ref href="#user-content-fn-${label}">${htmlText(lineText(node))}</a>`;
}
