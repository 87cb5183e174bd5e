import { inline, leaf, text, voidInline } from '../model/build.js';
import { type Inline, type InlineNode, type Mark } from '../model/types.js';
import { emojiParts, maybeEmoji } from '../syntax/emoji.js';

const sameMarks = (a: Mark[], b: Mark[]): boolean =>
  a.length === b.length &&
  a.every(
    (mark, i) =>
      mark.type === b[i]?.type &&
      (mark.data === b[i]?.data || JSON.stringify(mark.data) === JSON.stringify(b[i]?.data)),
  );

/** Where inlines go, and what surrounds them. */
export type InlineState = { out: InlineBuilder; marks: Mark[]; inLink: boolean };

/** Collects the inline nodes of one block: neighbouring text of the same marks becomes one leaf. */
export class InlineBuilder {
  readonly nodes: InlineNode[] = [];
  private apart = false;
  /** The text that was added last; empty behind an inline. */
  private before = '';

  /** `plainEmoji` keeps emoji as characters, for places that hold text only. */
  constructor(private readonly plainEmoji = false) {}

  text(value: string, marks: Mark[]): void {
    if (value === '') return;
    if (this.plainEmoji || marks.some((mark) => mark.type === 'code') || !maybeEmoji(value))
      return this.leaf(value, marks);
    for (const part of emojiParts(value)) {
      if ('text' in part) this.leaf(part.text, marks);
      else this.push(voidInline('emoji', { code: part.code }));
    }
  }

  push(node: Inline): void {
    this.part('');
    this.nodes.push(node);
    this.before = '';
  }

  /** What stood on lines of its own keeps a space from what is before and behind it. */
  gap(): void {
    this.apart = this.nodes.length > 0;
  }

  private part(next: string): void {
    const needed = this.apart && !/\s/.test(next.charAt(0) + this.before.charAt(this.before.length - 1));
    this.apart = false;
    if (needed) this.leaf(' ', []);
  }

  /** The nodes, at least one empty text. */
  finish(): InlineNode[] {
    return this.nodes.length > 0 ? this.nodes : [text('')];
  }

  /**
   * Wraps the last word in an annotation, or an empty text when no word stands directly before.
   */
  annotate(make: (nodes: InlineNode[]) => Inline): void {
    const last = this.nodes[this.nodes.length - 1];
    const end = !this.apart && last?.object === 'text' ? last.leaves[last.leaves.length - 1] : undefined;
    const word = end && /(?<!\S)\S+$/.exec(end.text)?.[0];
    if (!end || !word || last?.object !== 'text') {
      this.push(make([text('')]));
      return;
    }
    end.text = end.text.slice(0, end.text.length - word.length);
    if (end.text === '') last.leaves.pop();
    if (last.leaves.length === 0) this.nodes.pop();
    this.push(make([text(word, end.marks)]));
  }

  private leaf(value: string, marks: Mark[]): void {
    if (value === '') return;
    if (this.apart) this.part(value);
    this.before = value;
    const last = this.nodes[this.nodes.length - 1];
    if (last?.object !== 'text') {
      this.nodes.push(text(value, marks));
      return;
    }
    const end = last.leaves[last.leaves.length - 1];
    if (end && sameMarks(end.marks, marks)) end.text += value;
    else last.leaves.push(leaf(value, marks));
  }
}

export const annotation = (nodes: InlineNode[], body: Inline['fragments']): Inline => ({
  ...inline('annotation', {}, nodes),
  fragments: body ?? [],
});
