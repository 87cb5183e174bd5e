import { append } from './append.js';
import { block, isEmptyParagraph, paragraph, text } from './build.js';
import {
  fragmentRule,
  IN_LINK,
  KNOWN_BLOCKS,
  ruleOf,
  TEXT_INLINES,
  VOID_INLINES,
  WHOLE_OF,
  type Rule,
} from './content.js';
import { RichTextError } from './errors.js';
import { sortFragments } from './fragments.js';
import { type KeySource } from './keys.js';
import { type Limits } from './limits.js';
import { type Block, type Fragment, type Inline, type InlineNode, type Node } from './types.js';
import { childrenOf, walk } from './walk.js';

export type RepairOptions = { newKey: KeySource; limits: Limits };

/** What is nothing without its content: when all of it had to move behind, it goes. */
const VANISHING = new Set(['blockquote', 'list-item', 'list-unordered', 'list-ordered', 'list-tasks']);

/** Block levels per markdown level: a list is a list and its item. */
const LEVELS = 3;

/**
 * The top-level blocks of a document, made to fit the format: a child that may not stand where it is moves behind its
 * parent, parts without their whole get one, text between blocks becomes a paragraph, missing and repeated keys are
 * replaced. Nothing is dropped.
 */
export function repairBlocks(nodes: Node[], options: RepairOptions): Block[] {
  const repair = new Repair(options);
  return repair.top(nodes);
}

/** What holds paragraphs holds at least one, and what holds text an empty text. */
export function filled(nodes: Node[], rule: Rule, newKey: KeySource): Node[] {
  if (nodes.length > 0) return nodes;
  if (rule.inlines) return [text('')];
  return rule.blocks.has('paragraph') ? [{ ...paragraph([text('')]), key: newKey() }] : nodes;
}

class Repair {
  private readonly seen = new Set<string>();
  private count = 0;
  private depth = 0;

  constructor(private readonly options: RepairOptions) {}

  top(nodes: Node[]): Block[] {
    const rule = ruleOf('document') as Rule;
    const { kept, hoisted } = this.children(nodes, rule);
    return [...kept, ...hoisted].filter((node) => node.object === 'block');
  }

  /** Children that fit, in order; a misfit's place is behind the parent, so it is returned apart. */
  private children(nodes: Node[], rule: Rule): { kept: Node[]; hoisted: Block[] } {
    const kept: Node[] = [];
    const hoisted: Block[] = [];
    const place = (node: Block): void => {
      if (rule.blocks.has(node.type) || (rule.blocks.size > 0 && !KNOWN_BLOCKS.has(node.type)))
        return void kept.push(node);
      const whole = WHOLE_OF.get(node.type);
      if (whole !== undefined) return place(this.around(block(whole, {}, [node])));
      hoisted.push(node);
    };
    let run: InlineNode[] = [];
    let behind: Block[] = [];
    const flush = (): void => {
      if (run.length > 0) place(this.around(paragraph(run)));
      behind.forEach(place);
      run = [];
      behind = [];
    };
    for (const node of nodes) {
      if (node.object === 'block') {
        flush();
        for (const each of this.block(node)) place(each);
      } else if (rule.inlines) append(kept, this.inlineNode(node, false, hoisted));
      else append(run, this.inlineNode(node, false, behind));
    }
    flush();
    return { kept, hoisted };
  }

  /** The block followed by what did not fit into it. */
  private block(node: Block): Block[] {
    this.enter();
    const rule = ruleOf(node.type);
    const out: Block = { ...node, key: this.key(node.key) };
    const after: Block[] = [];
    if (!rule) this.countAll(node);
    else {
      if (node.nodes) {
        const { kept, hoisted } = this.children(node.nodes, rule);
        append(after, hoisted);
        if (kept.length === 0 && hoisted.length > 0 && VANISHING.has(node.type)) {
          this.depth--;
          return after;
        }
        out.nodes = this.filled(kept, rule);
      }
      if (node.fragments) out.fragments = this.fragments(node, after);
    }
    this.depth--;
    return [out, ...after];
  }

  /** The fragments under the names of their places; what stands in others moves behind. */
  private fragments(node: Block | Inline, after: Block[]): Fragment[] {
    const { shown, hidden } = sortFragments(node);
    const out = shown.map((part) => this.fragment(node.type, part, after));
    for (const { nodes } of hidden)
      append(
        after,
        this.top(nodes).filter((each) => !isEmptyParagraph(each)),
      );
    return out;
  }

  private fragment(owner: string, part: Fragment, after: Block[]): Fragment {
    this.enter();
    const rule = fragmentRule(owner, part.fragment);
    if (!rule) {
      this.countAll(part);
      this.depth--;
      return part;
    }
    const { kept, hoisted } = this.children(part.nodes, rule);
    append(after, hoisted);
    this.depth--;
    return { ...part, nodes: this.filled(kept, rule) };
  }

  private inlineNode(node: InlineNode, inLink: boolean, after: Block[]): InlineNode[] {
    if (node.object === 'text') {
      this.enter();
      this.depth--;
      return [node];
    }
    this.enter();
    const out: Inline = { ...node, key: this.key(node.key) };
    const behind: InlineNode[] = [];
    if (node.nodes) out.nodes = this.inlineChildren(node, inLink, after, behind);
    if (node.fragments) out.fragments = this.fragments(node, after);
    this.depth--;
    return [out, ...behind];
  }

  private inlineChildren(node: Inline, inLink: boolean, after: Block[], behind: InlineNode[]): InlineNode[] {
    const kept: InlineNode[] = [];
    // What arrives as JSON may hold a block here, whatever the type says.
    for (const child of (node.nodes ?? []) as Node[]) {
      if (child.object === 'block') append(after, this.block(child));
      else {
        for (const each of this.inlineNode(child, inLink || node.type === 'link', after)) {
          if (this.fits(node, each)) kept.push(each);
          // What stood among words is not to touch the last of them.
          else behind.push(...(TEXT_INLINES.has(node.type) ? [text(' ')] : []), each);
        }
      }
    }
    return kept;
  }

  private fits(parent: Inline, child: InlineNode): boolean {
    // Editors keep an empty text inside what has no text of its own.
    if (VOID_INLINES.has(parent.type)) return child.object === 'text' && child.leaves.every((leaf) => leaf.text === '');
    if (child.object === 'text' || !TEXT_INLINES.has(parent.type)) return true;
    if (parent.type === 'annotation') return false;
    return IN_LINK.has(child.type) || (!VOID_INLINES.has(child.type) && !TEXT_INLINES.has(child.type));
  }

  private key(key: string | undefined): string {
    const own = key !== undefined && key !== '' && !this.seen.has(key) ? key : this.options.newKey();
    this.seen.add(own);
    return own;
  }

  /** A block made for nodes that are counted already. */
  private around(made: Block): Block {
    this.countOne();
    return { ...made, key: this.options.newKey() };
  }

  private filled(nodes: Node[], rule: Rule): Node[] {
    const out = filled(nodes, rule, this.options.newKey);
    if (out !== nodes) for (const made of out) walk(made, () => this.countOne());
    return out;
  }

  private countOne(): void {
    const { maxNodes } = this.options.limits;
    if (++this.count > maxNodes)
      throw new RichTextError('too_many_nodes', `The document has more than ${maxNodes} nodes.`);
  }

  private enter(): void {
    const { maxDepth } = this.options.limits;
    this.countOne();
    if (++this.depth > maxDepth * LEVELS)
      throw new RichTextError('too_deep', `The document nests deeper than ${maxDepth} levels.`);
  }

  private countAll(node: Block | Fragment): void {
    for (const child of childrenOf(node)) {
      this.enter();
      if (child.object !== 'text') this.countAll(child as Block);
      this.depth--;
    }
  }
}
