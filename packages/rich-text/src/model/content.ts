const names = (list: string): readonly string[] => list.split(' ');

const ESSENTIALS = names('paragraph heading-1 heading-2 heading-3 list-unordered list-ordered list-tasks divider');
const OPENAPI = names('swagger openapi-operation openapi-schemas openapi-webhook');

/** Blocks that may stand anywhere at the top: of a document, a tab, a step, a column, an update, a condition. */
const TOP = [
  ...ESSENTIALS,
  ...names(
    'blockquote hint code prompt images file drawing embed content-ref math table expandable tabs stepper columns updates if reusable-content integration',
  ),
  ...OPENAPI,
];

const HINT = [...ESSENTIALS, ...names('embed integration table code math images file blockquote content-ref')];
const LIST_ITEM = [...ESSENTIALS, ...names('code hint blockquote math table images file embed')];
const QUOTE = [...ESSENTIALS, ...names('blockquote code math images')];
const EXPANDABLE = [
  ...ESSENTIALS,
  ...names('file images code table hint prompt blockquote reusable-content integration math embed content-ref'),
];
const CELL = [...ESSENTIALS, ...names('code images blockquote math')];
const LINES = names('paragraph');

/** What a place may hold: blocks of these types, or text and inlines. */
export type Rule = { blocks: ReadonlySet<string>; inlines: boolean };
const holding = (types: readonly string[]): Rule => ({ blocks: new Set(types), inlines: false });
const TEXT: Rule = { blocks: new Set(), inlines: true };

const RULES = new Map<string, Rule>([
  ['document', holding(TOP)],
  ['paragraph', TEXT],
  ['heading-1', TEXT],
  ['heading-2', TEXT],
  ['heading-3', TEXT],
  ['code-line', TEXT],
  ['list-unordered', holding(['list-item'])],
  ['list-ordered', holding(['list-item'])],
  ['list-tasks', holding(['list-item'])],
  ['list-item', holding(LIST_ITEM)],
  ['blockquote', holding(QUOTE)],
  ['hint', holding(HINT)],
  ['code', holding(['code-line'])],
  ['prompt', holding(['code'])],
  ['images', holding(['image'])],
  ['tabs', holding(['tabs-item'])],
  ['tabs-item', holding(TOP)],
  ['stepper', holding(['stepper-step'])],
  ['stepper-step', holding(TOP)],
  ['columns', holding(['column'])],
  ['column', holding(TOP)],
  ['updates', holding(['update'])],
  ['update', holding(TOP)],
  ['if', holding(TOP)],
  ...names('divider image file drawing embed content-ref math table expandable reusable-content integration').map(
    (type): [string, Rule] => [type, holding([])],
  ),
  ...OPENAPI.map((type): [string, Rule] => [type, holding([])]),
  ['#caption', holding(LINES)],
  ['#expandable-title', holding(ESSENTIALS)],
  ['#expandable-body', holding(EXPANDABLE)],
  ['#annotation-body', holding([...ESSENTIALS, 'code'])],
  ['#cell', holding(CELL)],
]);

/** What a block type may hold; undefined for types this package does not know. */
export const ruleOf = (type: string): Rule | undefined => RULES.get(type);

/** What a fragment may hold: by its name, or as a cell when it belongs to a table. */
export const fragmentRule = (owner: string, name: string | undefined): Rule | undefined =>
  RULES.get(owner === 'table' ? '#cell' : `#${name ?? ''}`);

/** The blocks that exist only inside a certain other one. */
export const WHOLE_OF: ReadonlyMap<string, string> = new Map([
  ['list-item', 'list-unordered'],
  ['code-line', 'code'],
  ['image', 'images'],
  ['tabs-item', 'tabs'],
  ['stepper-step', 'stepper'],
  ['column', 'columns'],
  ['update', 'updates'],
]);

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
export const KNOWN_BLOCKS: ReadonlySet<string> = new Set(
  [...RULES.keys()].filter((type) => !type.startsWith('#') && type !== 'document'),
);
