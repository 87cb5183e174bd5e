/** A value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

/** Free-form properties of a node; which ones a type uses stands in the tables of the format. */
export type Data = { [key: string]: Json | undefined };

/** A reference to something a document points at; `kind` says which members are set. */
export type ContentRef = { kind: string; [member: string]: Json | undefined };

export type Mark = { object: 'mark'; type: string; data?: Data };
export type Leaf = { object: 'leaf'; text: string; marks: Mark[] };
export type Text = { object: 'text'; key?: string; leaves: Leaf[] };

export type Inline = {
  object: 'inline';
  type: string;
  key?: string;
  isVoid: boolean;
  data: Data;
  nodes?: Array<Inline | Text>;
  fragments?: Fragment[];
};

export type Block = {
  object: 'block';
  type: string;
  key?: string;
  isVoid: boolean;
  data: Data;
  nodes?: Node[];
  fragments?: Fragment[];
  meta?: Data;
};

/** A named part of a node: a table cell, a caption, the title or body of an expandable, the body of an annotation. */
export type Fragment = { object: 'fragment'; key?: string; fragment?: string; type?: string; nodes: Node[] };

export type Node = Block | Inline | Text;
export type InlineNode = Inline | Text;

/** The root. `schemaVersion` is 10 for documents made by this package. */
export type RichDocument = { object: 'document'; data: Data; nodes: Block[]; meta?: Data };

export const SCHEMA_VERSION = 10;

/** Where a document lives. In a page the title is the first-level heading, so headings start one level deeper. */
export type Context = 'page' | 'comment';

export type TableColumn = {
  id: string;
  title: string;
  type: string;
  textAlignment?: string;
  verticalAlignment?: string;
  [option: string]: Json | undefined;
};
export type TableRecord = { orderIndex: string; values: { [column: string]: Json | undefined } };
export type TableData = Data & {
  view: Data & { type: string; columns: string[] };
  records: { [id: string]: TableRecord };
  definition: { [id: string]: TableColumn };
};
