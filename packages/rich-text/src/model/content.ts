const names = (list: string): readonly string[] => list.split(' ');

const ESSENTIALS = names('paragraph heading-1 heading-2 heading-3 list-unordered list-ordered list-tasks divider');
const HINT = [...ESSENTIALS, ...names('embed integration table code math images file blockquote content-ref')];
const LIST_ITEM = [...ESSENTIALS, ...names('code hint blockquote math table images file embed')];
const QUOTE = [...ESSENTIALS, ...names('blockquote code math images')];
const EXPANDABLE = [
  ...ESSENTIALS,
  ...names('file images code table hint prompt blockquote reusable-content integration math embed content-ref'),
];
const CELL = [...ESSENTIALS, ...names('code images blockquote math')];
const CAPTION = { caption: ['paragraph'] };

/**
 * What stands in the place of a tag: `pair` has an end of its own, of `leaf` it may be missing, and `part` is closed by
 * the end of the tag around it, too.
 */
type TagKind = 'pair' | 'leaf' | 'part';

/** What the format says about a type of block. */
type BlockForm = {
  /** Blocks of these types; `any` are those that need no certain block around them, `text` is text and inlines. */
  holds: 'any' | 'text' | readonly string[];
  /** The block without which it does not exist; where that is missing, it is made. */
  partOf?: string;
  /** The fragments that it shows, and what they may hold. */
  fragments?: { readonly [name: string]: readonly string[] };
  /** The tags that are read as this block, or as a part of it. */
  tags?: { readonly [name: string]: TagKind };
  /** Its tags have a place for a title, in the block or in what stands inside. Before others it is a paragraph. */
  takesTitle?: true;
  /** The members of its data that are translated; `none`: nothing in the block is. */
  prose?: readonly string[] | 'none';
  /** It cannot be shown without what it points at. */
  needsTarget?: true;
  /** It shows a part of an API. */
  showsApi?: true;
};

const API = { holds: [], prose: 'none', needsTarget: true, showsApi: true } as const;

/** Every type of block. What reads, writes and draws them (README, "Add a block") has an entry for each of these. */
const BLOCKS = {
  paragraph: { holds: 'text' },
  'heading-1': { holds: 'text' },
  'heading-2': { holds: 'text' },
  'heading-3': { holds: 'text' },
  'list-unordered': { holds: ['list-item'] },
  'list-ordered': { holds: ['list-item'] },
  'list-tasks': { holds: ['list-item'] },
  'list-item': { holds: LIST_ITEM, partOf: 'list-unordered' },
  divider: { holds: [] },
  blockquote: { holds: QUOTE },
  hint: { holds: HINT, tags: { hint: 'pair' }, takesTitle: true, prose: ['title'] },
  code: { holds: ['code-line'], tags: { code: 'pair' }, takesTitle: true, prose: ['title'] },
  'code-line': { holds: 'text', partOf: 'code', prose: 'none' },
  prompt: { holds: ['code'], tags: { prompt: 'pair' }, prose: ['title', 'description'] },
  images: { holds: ['image'] },
  image: { holds: [], partOf: 'images', fragments: CAPTION, prose: ['alt'], needsTarget: true },
  drawing: { holds: [], prose: ['alt'], needsTarget: true },
  file: { holds: [], fragments: CAPTION, tags: { file: 'leaf' }, takesTitle: true, needsTarget: true },
  embed: { holds: [], fragments: CAPTION, tags: { embed: 'leaf' }, takesTitle: true },
  'content-ref': {
    holds: [],
    tags: { 'content-ref': 'leaf', 'page-ref': 'leaf' },
    takesTitle: true,
    prose: ['title'],
  },
  math: { holds: [], prose: 'none' },
  table: { holds: [] },
  expandable: {
    holds: [],
    fragments: { 'expandable-title': ESSENTIALS, 'expandable-body': EXPANDABLE },
    tags: { expandable: 'pair' },
    takesTitle: true,
  },
  tabs: { holds: ['tabs-item'], tags: { tabs: 'pair' } },
  'tabs-item': { holds: 'any', partOf: 'tabs', tags: { tab: 'part' }, prose: ['title'] },
  stepper: { holds: ['stepper-step'], tags: { stepper: 'pair' } },
  'stepper-step': { holds: 'any', partOf: 'stepper', tags: { step: 'part' }, prose: ['title'] },
  columns: { holds: ['column'], tags: { columns: 'pair' } },
  column: { holds: 'any', partOf: 'columns', tags: { column: 'part' } },
  updates: { holds: ['update'], tags: { updates: 'pair' } },
  update: { holds: 'any', partOf: 'updates', tags: { update: 'part' } },
  if: { holds: 'any', tags: { if: 'pair' }, takesTitle: true },
  'reusable-content': { holds: [], tags: { include: 'leaf' }, needsTarget: true },
  /** Its tags have the names of integrations: `@owner/name`. */
  integration: { holds: [], prose: 'none' },
  swagger: {
    ...API,
    tags: {
      openapi: 'leaf',
      swagger: 'leaf',
      'swagger-description': 'part',
      'swagger-parameter': 'part',
      'swagger-response': 'part',
    },
  },
  'openapi-operation': { ...API, tags: { 'openapi-operation': 'leaf' } },
  'openapi-schemas': { ...API, tags: { 'openapi-schemas': 'leaf' }, takesTitle: true },
  'openapi-webhook': { ...API, tags: { 'openapi-webhook': 'leaf' } },
} as const satisfies { readonly [type: string]: BlockForm };

type Blocks = typeof BLOCKS;
export type BlockType = keyof Blocks;
/** The blocks that exist only inside a certain other one. */
export type PartType = { [T in BlockType]: Blocks[T] extends { partOf: string } ? T : never }[BlockType];
type TagsOf<Form, Kind> = Form extends { tags: infer Tags }
  ? { [Name in keyof Tags]: Tags[Name] extends Kind ? Name : never }[keyof Tags]
  : never;
/** The tags that are a block by themselves. */
export type WholeTag = TagsOf<Blocks[BlockType], 'pair' | 'leaf'>;

const FORMS: ReadonlyArray<readonly [string, BlockForm]> = Object.entries<BlockForm>(BLOCKS);
const formOf: ReadonlyMap<string, BlockForm> = new Map(FORMS);

/** The types of blocks of which something holds. */
export const blocksThat = (holds: (form: BlockForm) => boolean): ReadonlySet<string> =>
  new Set(FORMS.flatMap(([type, form]) => (holds(form) ? [type] : [])));

export const KNOWN_BLOCKS = blocksThat(() => true);
/** Blocks that show parts of APIs. */
export const API_BLOCKS = blocksThat(({ showsApi }) => showsApi === true);

/** What a place may hold: blocks of these types, or text and inlines. */
export type Rule = { blocks: ReadonlySet<string>; inlines: boolean };
const holding = (types: Iterable<string>): Rule => ({ blocks: new Set(types), inlines: false });
const TEXT: Rule = { blocks: new Set(), inlines: true };
/** The top of a document, a tab, a step, a column, an update, a condition. */
const ANY = holding(blocksThat(({ partOf }) => partOf === undefined));

const RULES: ReadonlyMap<string, Rule> = new Map([
  ['document', ANY],
  ...FORMS.map(([type, { holds }]): [string, Rule] => [
    type,
    holds === 'any' ? ANY : holds === 'text' ? TEXT : holding(holds),
  ]),
]);

const FRAGMENT_RULES: ReadonlyMap<string, Rule> = new Map([
  ...FORMS.flatMap(([, { fragments = {} }]) =>
    Object.entries(fragments).map(([name, types]): [string, Rule] => [name, holding(types)]),
  ),
  ['annotation-body', holding([...ESSENTIALS, 'code'])],
]);
const CELL_RULE = holding(CELL);

/** What a block type may hold; undefined for types this package does not know. */
export const ruleOf = (type: string): Rule | undefined => RULES.get(type);

/** What a fragment may hold: by its name, or as a cell when it belongs to a table. */
export const fragmentRule = (owner: string, name: string | undefined): Rule | undefined =>
  owner === 'table' ? CELL_RULE : FRAGMENT_RULES.get(name ?? '');

/** The names of the fragments that a block shows. */
export const fragmentsOf = (type: string): string[] => Object.keys(formOf.get(type)?.fragments ?? {});

/** The members of a block's data that are translated. */
export function proseOf(type: string): readonly string[] {
  const prose = formOf.get(type)?.prose;
  return prose === undefined || prose === 'none' ? [] : prose;
}

/** The tags of the format, without those of integrations. */
export const TAGS: ReadonlyMap<string, { kind: TagKind; takesTitle: boolean }> = new Map(
  FORMS.flatMap(([, { tags = {}, takesTitle = false }]) =>
    Object.entries(tags).map(([name, kind]) => [name, { kind, takesTitle }] as const),
  ),
);

/** The blocks that exist only inside a certain other one. */
export const WHOLE_OF: ReadonlyMap<string, string> = new Map(
  FORMS.flatMap(([type, { partOf }]) => (partOf === undefined ? [] : [[type, partOf] as const])),
);

/**
 * True for items, tabs and the like: parts of a whole that each are something by themselves, as a line of code is not.
 */
export const isSeparate = ({ type }: { type: string }): boolean => WHOLE_OF.has(type) && type !== 'code-line';

/** 1 to 3 for a heading, 0 for any other block. */
export const headingLevel = ({ type }: { type: string }): number =>
  /^heading-[123]$/.test(type) ? Number(type.slice(-1)) : 0;

export const VOID_INLINES: ReadonlySet<string> = new Set(
  names('mention inline-image emoji icon inline-math expression button anchor'),
);
export const TEXT_INLINES: ReadonlySet<string> = new Set(names('link annotation'));
/** Inlines that may stand inside a link. */
export const IN_LINK: ReadonlySet<string> = new Set(names('inline-image icon inline-math expression anchor'));
