import { gfmFootnoteToMarkdown } from 'mdast-util-gfm-footnote';
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemToMarkdown } from 'mdast-util-gfm-task-list-item';
import { defaultHandlers, toMarkdown, type Handle, type Join, type Options } from 'mdast-util-to-markdown';
import { type Md } from '../syntax/md.js';
import { WITHIN_WORD } from './attention.js';
import { mathElement } from './inline-nodes.js';

const md = (node: unknown): Md => node as Md;

type PeekingHandle = Handle & { peek?: Handle };
const handler = (handle: Handle, peek: string): PeekingHandle => Object.assign(handle, { peek: () => peek });

/** Characters that may be markup somewhere; dots, brackets and dashes only where no letter is before them. */
const SUSPECT = /[\t\n\r!#$&(*+:<=>@[\\\]^_`{|}~]|(?:^|[^A-Za-z])[.)-]/;

/** Most text holds nothing that could need an escape: it is written as it is, without trying every pattern on it. */
const text: Handle = (node, parent, state, info) => {
  const value = md(node).value ?? '';
  const atBreak =
    (/[\n|]$/.test(info.before) && /^[ \t]/.test(value)) || (/^[\n|]/.test(info.after) && /[ \t]$/.test(value));
  return atBreak || SUSPECT.test(value)
    ? defaultHandlers.text(node as Parameters<typeof defaultHandlers.text>[0], parent, state, info)
    : value;
};

/** Emphasis within a word is marked with asterisks. */
const emphasis = Object.assign(
  ((...given) => defaultHandlers.emphasis(...(given as Parameters<typeof defaultHandlers.emphasis>))) satisfies Handle,
  {
    attention: (node: unknown) => ({
      construct: 'emphasis' as const,
      markers: md(node).name === WITHIN_WORD ? ['*', '_'] : ['_', '*'],
      sizes: [1],
    }),
    peek: (node: unknown) => (md(node).name === WITHIN_WORD ? '*' : '_'),
  },
);

/** A bar would end a cell, also within an attribute. */
const withoutBars = (html: string): string => html.replaceAll('|', '&#124;');

const handlers: { [type: string]: Handle } = {
  text,
  emphasis,
  html: handler((node, _, state) => {
    const value = md(node).value ?? '';
    return state.stack.includes('tableCell') ? withoutBars(value) : value;
  }, '<'),
  tag: (node) => md(node).value ?? '',
  math: (node) => `$$\n${(md(node).value ?? '').replace(/^([ \t]*)\$\$([ \t]*)$/gm, '$1$ $$$2')}\n$$`,
  emoji: handler(
    (node, _, _state, info) =>
      /[A-Za-z0-9_:]$/.test(info.before) ? (md(node).label ?? '') : `:${md(node).value ?? ''}:`,
    ':',
  ),
  inlineMath: handler((node, _, state, info) => {
    const formula = md(node).value ?? '';
    const inCell = state.stack.includes('tableCell');
    const plain = formula !== '' && formula.trim() === formula && !/\$/.test(formula) && !info.before.endsWith('$');
    // Alone in a paragraph, but not in a cell, it would be read as a block.
    if (plain && (inCell ? !formula.includes('|') : md(node).name !== 'element')) return `$$${formula}$$`;
    return inCell ? withoutBars(mathElement(formula)) : mathElement(formula);
  }, '$'),
};

const SEAMLESS = new Set(['paragraph', 'heading', 'code', 'tag', 'thematicBreak', 'math']);

/** No blank line inside the tags of a container, where nothing would read on into the tag. */
const join: Join = (left, right) => {
  const before = md(left);
  const after = md(right);
  if (before.type === 'tag' && before.name === 'open') return 0;
  if (after.type === 'tag' && after.name === 'close' && SEAMLESS.has(before.type) && !startsWithHtml(before)) return 0;
  if (after.type === 'tag' && after.name === 'close' && before.type === 'list' && isSimple(before)) return 0;
  return after.type === 'tag' || before.type === 'tag' ? 1 : undefined;
};

/** A line of one HTML tag is read on to the next blank line. */
const startsWithHtml = (node: Md): boolean => node.children?.[0]?.type === 'html';

/** A list of nothing but text and such lists. */
function isSimple(list: Md): boolean {
  return (list.children ?? []).every((item) =>
    (item.children ?? []).every(
      (child) => (child.type === 'paragraph' && !startsWithHtml(child)) || (child.type === 'list' && isSimple(child)),
    ),
  );
}

/**
 * A colon that would begin an emoji: after no letter or digit, or after one next to an emphasis mark, which may be
 * written as a character reference. Looked at from behind the colon, because of a `before` the library thinks that an
 * escape of it is enough.
 */
const EMOJI: NonNullable<Options['unsafe']>[number] = {
  character: ':',
  after: '(?<!(?:[_:]|(?:^|[^*_~])[A-Za-z0-9]):)[A-Za-z0-9_+-]{1,60}:',
  inConstruct: 'phrasing',
};

const OPTIONS: Options = {
  bullet: '*',
  bulletOther: '-',
  emphasis: '_',
  strong: '*',
  fence: '`',
  fences: true,
  rule: '*',
  listItemIndent: 'one',
  setext: false,
  extensions: [
    gfmTableToMarkdown({ tablePipeAlign: false }),
    gfmStrikethroughToMarkdown(),
    gfmFootnoteToMarkdown(),
    gfmTaskListItemToMarkdown(),
  ],
  handlers: handlers,
  join: [join],
  unsafe: [
    { character: '{', after: '%', inConstruct: 'phrasing' },
    // An id behind a heading.
    { character: '{', after: '(?:#|:[ \\t]*#|/\\*)', inConstruct: 'headingAtx' },
    { character: '$', after: '\\$', inConstruct: 'phrasing' },
    EMOJI,
    // The text of a link is not the name of a footnote.
    { character: '^', before: '^\\[', inConstruct: 'label' },
    // Spaces at the ends of a cell are taken for its padding.
    ...[' ', '\t'].flatMap((character) => [
      { character, before: '^\\|', inConstruct: 'tableCell' as const },
      { character, after: '\\|$', inConstruct: 'tableCell' as const },
    ]),
  ],
};

/** The syntax tree as text, ending in one newline unless it is empty. */
export function stringify(children: Md[]): string {
  return toMarkdown({ type: 'root', children } as Parameters<typeof toMarkdown>[0], OPTIONS);
}
