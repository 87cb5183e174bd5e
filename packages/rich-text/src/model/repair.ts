import { append } from './append.js';
import { block, isEmptyParagraph, paragraph, text } from './build.js';
import { fragmentRule, KNOWN_BLOCKS, ruleOf, TEXT_INLINES, WHOLE_OF, type Rule } from './content.js';
import { RichTextError } from './errors.js';
import { filled, fitsInline } from './fitting.js';
import { sortFragments } from './fragments.js';
import { type KeySource } from './keys.js';
import { isListOfItems, LISTS, partsOfItem, partsOfList, type PartedItem } from './list-parts.js';
import { type Limits } from './limits.js';
import { type Block, type Fragment, type Inline, type InlineNode, type Node } from './types.js';
import { childrenOf, walk } from './walk.js';

export type RepairOptions = {
  newKey: KeySource;
  limits: Limits;
  /** What an item of a list cannot hold parts the list where it stands, instead of moving behind all of it. */
  splitsLists?: boolean;
  /** Gets the types of blocks that move behind what they stand in. */
  moved?: Set<string>;
};

/** What is nothing without its content: when all of it had to move behind, it goes. */
const VANISHING = new Set(['blockquote', 'list-item', ...LISTS]);

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

class Repair {
  private readonly seen = new Set<string>();
  private count = 0;
  private depth = 0;
  /** What the block holds that is around the lists of the present place. */
  private around: Rule | undefined;

  constructor(private readonly options: RepairOptions) {}

  top(nodes: Node[]): Block[] {
    const rule = ruleOf('document') as Rule;
    const { kept, hoisted } = this.inside(rule, () => this.children(nodes, rule));
    return [...kept, ...hoisted].filter((node) => node.object === 'block');
  }

  /** What the work gives while `rule` says what is around it. */
  private inside<T>(rule: Rule, work: () => T): T {
    const outer = this.around;
    this.around = rule;
    const done = work();
    this.around = outer;
    return done;
  }

  /** Children that fit, in order; a misfit's place is behind the parent, so it is returned apart. `all`: both. */
  private children(nodes: Node[], rule: Rule): { kept: Node[]; hoisted: Block[]; all: Block[] } {
    const kept: Node[] = [];
    const hoisted: Block[] = [];
    const all: Block[] = [];
    const place = (node: Block): void => {
      const fits = rule.blocks.has(node.type) || (rule.blocks.size > 0 && !KNOWN_BLOCKS.has(node.type));
      const whole = WHOLE_OF.get(node.type);
      if (!fits && whole !== undefined) return place(this.made(block(whole, {}, [node])));
      (fits ? kept : hoisted).push(node);
      all.push(node);
    };
    let run: InlineNode[] = [];
    let behind: Block[] = [];
    const flush = (): void => {
      if (run.length > 0) place(this.made(paragraph(run)));
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
    return { kept, hoisted, all };
  }

  /** The block followed by what did not fit into it. */
  private block(node: Block): Block[] {
    const rule = ruleOf(node.type);
    // Not where it cannot stand beside the list either.
    const isSplit = this.options.splitsLists === true && this.around?.blocks.has('tabs') === true;
    if (isSplit && isListOfItems(node)) return this.list(node);
    return rule === undefined || node.type === 'list-item' || LISTS.has(node.type)
      ? this.whole(node, rule)
      : this.inside(rule, () => this.whole(node, rule));
  }

  private whole(node: Block, rule: Rule | undefined): Block[] {
    this.enter();
    const out: Block = { ...node, key: this.key(node.key) };
    const after: Block[] = [];
    if (!rule) this.countAll(node);
    else {
      if (node.nodes) {
        const { kept, hoisted } = this.children(node.nodes, rule);
        this.move(hoisted, after);
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

  private move(hoisted: Block[], after: Block[]): void {
    for (const { type } of hoisted) this.options.moved?.add(type);
    append(after, hoisted);
  }

  private list(node: Block): Block[] {
    this.enter();
    const whole = { ...node, key: this.key(node.key) };
    const items = (node.nodes ?? []).map((child) => this.item(child as Block));
    this.depth--;
    return partsOfList(whole, items, (part) => this.made(part));
  }

  private item(node: Block): PartedItem {
    this.enter();
    const rule = ruleOf('list-item') as Rule;
    const item = { ...node, key: this.key(node.key) };
    const { hoisted, all } = this.children(node.nodes ?? [], rule);
    this.depth--;
    if (all.length === 0) return { before: [], item: { ...item, nodes: this.filled([], rule) }, after: [] };
    return partsOfItem(item, all, new Set(hoisted));
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
    const { kept, hoisted } = this.inside(rule, () => this.children(part.nodes, rule));
    this.move(hoisted, after);
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
          if (fitsInline(node, each)) kept.push(each);
          // What stood among words is not to touch the last of them.
          else behind.push(...(TEXT_INLINES.has(node.type) ? [text(' ')] : []), each);
        }
      }
    }
    return kept;
  }

  private key(key: string | undefined): string {
    const own = key !== undefined && key !== '' && !this.seen.has(key) ? key : this.options.newKey();
    this.seen.add(own);
    return own;
  }

  /** A block made for nodes that are counted already. */
  private made(made: Block): Block {
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
