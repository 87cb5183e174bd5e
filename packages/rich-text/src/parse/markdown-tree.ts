import {
  fromMarkdown,
  type CompileContext,
  type Extension as TreeExtension,
  type Token,
} from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFootnoteFromMarkdown } from 'mdast-util-gfm-footnote';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item';
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfmFootnote } from 'micromark-extension-gfm-footnote';
import { gfmTable } from 'micromark-extension-gfm-table';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';
import { type Construct, type Extension as SyntaxExtension } from 'micromark-util-types';
import { type Limits } from '../model/limits.js';
import { emojiSyntax } from '../syntax/emoji.js';
import { guardedContainers, guardedDelimiters } from '../syntax/guard.js';
import { htmlSyntax } from '../syntax/html.js';
import { linearConstructs } from '../syntax/linear.js';
import { mathSyntax } from '../syntax/math.js';
import { type Md } from '../syntax/md.js';
import { tagSyntax } from '../syntax/tag.js';

type Literal = { value: string };

function open(this: CompileContext, token: Token, type: string): void {
  // The tree's type union is closed; ours are added by name alone, as extensions of this library do.
  this.enter({ type, value: '' } as Parameters<CompileContext['enter']>[0], token);
}

function append(this: CompileContext, value: string): void {
  (this.stack[this.stack.length - 1] as Literal).value += value;
}

const opens = (type: string) =>
  function (this: CompileContext, token: Token): void {
    open.call(this, token, type);
  };
function appendSlice(this: CompileContext, token: Token): void {
  append.call(this, this.sliceSerialize(token));
}
function appendNewline(this: CompileContext): void {
  append.call(this, '\n');
}
function close(this: CompileContext, token: Token): void {
  this.exit(token);
}

const ownTree: TreeExtension = {
  enter: {
    tag: opens('tag'),
    tagText(token) {
      this.enter({ type: 'paragraph', children: [] }, token);
    },
    mathFlow: opens('math'),
    mathText: opens('inlineMath'),
    emoji: opens('emoji'),
  },
  exit: {
    tagData: appendSlice,
    tagLineEnding: appendNewline,
    tag: close,
    tagText: close,
    mathData: appendSlice,
    mathLineEnding: appendNewline,
    mathFlow: close,
    mathText: close,
    emoji(token) {
      append.call(this, this.sliceSerialize(token).slice(1, -1));
      this.exit(token);
    },
  },
};

const footnoteSyntax = gfmFootnote();
const footnote = footnoteSyntax.document?.[91] as Construct | undefined;
// The construct that tells `![^a]` from an image looks back over all text for every bracket, so it is left out.
const footnotes: SyntaxExtension = { text: { 91: (footnoteSyntax.text?.[91] ?? []) as Construct } };
const strikethrough = gfmStrikethroughCjkFriendly();
const syntax = [gfmTable(), strikethrough, footnotes, gfmTaskListItem(), tagSyntax(), mathSyntax(), emojiSyntax()];
const tree = [
  gfmTableFromMarkdown(),
  gfmStrikethroughFromMarkdown(),
  gfmFootnoteFromMarkdown(),
  gfmTaskListItemFromMarkdown(),
  ownTree,
];

/** Markdown text to its syntax tree. Bare URLs stay text; `front` also reads front matter. */
export function markdownTree(source: string, front: boolean, limits: Limits): Md {
  const deleted = strikethrough.text?.[126] as Construct | undefined;
  const extensions = [
    guardedDelimiters(deleted),
    linearConstructs(),
    htmlSyntax(),
    ...syntax,
    guardedContainers(footnote, limits),
  ];
  return fromMarkdown(source, {
    extensions: front ? [...extensions, frontmatter()] : extensions,
    mdastExtensions: front ? [...tree, frontmatterFromMarkdown()] : tree,
  }) as Md;
}
