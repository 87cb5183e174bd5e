/**
 * What the template of a PDF shows (`layout/template/page.typ`): the nodes of `doc.json`. A text is a node, and so is a
 * list of nodes. Names are short, since a large space has hundreds of thousands of them.
 */
export type SheetNode = string | readonly SheetNode[] | SheetElement;

/** A node with a type. Its other members are what the template reads for that type. */
export interface SheetElement {
  readonly t: string;
  readonly [member: string]: unknown;
}

/** A page, or a group of pages, as a part of the PDF. */
export interface SheetSection {
  /** Its label. */
  id: string;
  /** The level of its heading. */
  l: number;
  title: string;
  /** Whether it begins on a new sheet. */
  sheet: boolean;
  /** The direction of its title, where it is not that of the whole. */
  d?: string;
  about?: SheetNode;
  b: SheetNode;
}

/** One page, laid out as far as that needs nothing of the others. */
export interface PreparedPage {
  /** The section, as JSON. */
  json: string;
  /** Labels by what links name: the id of a page, or that with `#` and an anchor. */
  labels: Readonly<Record<string, string>>;
  /** The scripts of its texts, as ISO 15924 names them. */
  scripts: readonly string[];
  /** The files that it shows as pictures. */
  pictures: readonly string[];
  /** Ids of users that it may name. */
  people?: readonly string[];
}
