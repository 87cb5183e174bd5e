import { LISTING } from './listings.js';

/** Styles of hints by the names that other products have for them. */
const STYLES = new Map(
  Object.entries({
    info: 'note info information important abstract summary tldr todo question help faq example quote cite seealso hint-info aside callout admonition',
    success: 'tip hint success check done',
    warning: 'warning caution attention warn experimental deprecated',
    danger: 'danger error failure fail missing bug critical',
  }).flatMap(([style, names]) => names.split(' ').map((name): [string, string] => [name, style])),
);

/** The style of a hint that another product calls by this name. */
export const styleOf = (name: string): string | undefined => STYLES.get(name.toLowerCase());

/** Text as the value of an attribute of a tag. */
const quoted = (value: string): string =>
  `"${value.replace(/[&"%{\\]/g, (character) => `&#${character.charCodeAt(0)};`)}"`;

/** Titles that are longer have no markup. */
export const LONGEST_TITLE = 2000;

/** A title of markdown as plain text. */
const plainTitle = (title: string): string =>
  title.length > LONGEST_TITLE
    ? title.trim()
    : title
        .replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
        .replace(/(\*\*|__|`)(\S(?:.*?\S)?)\1/g, '$2')
        .replace(/(?<![\w*])([*_])(\S(?:[^*_]*\S)?)\1(?![\w*])/g, '$2')
        .trim();

/** ` name="value"` for each value that says something. */
function written(values: { [name: string]: string | undefined }): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value.trim() !== '');
  return set.map(([name, value]) => ` ${name}=${quoted(plainTitle(value ?? ''))}`).join('');
}

/** What stands before and behind what a container holds. */
export type Around = { open: string; close: string };

const around = (name: string, values: { [name: string]: string | undefined } = {}): Around => ({
  open: `{% ${name}${written(values)} %}`,
  close: `{% end${name} %}`,
});

export const hint = (style: string, title?: string): Around => around('hint', { style, title });
export const tabs = (): Around => around('tabs');
export const tab = (title: string): Around => around('tab', { title: title || 'Tab' });
export const expandable = (title: string, isOpen: boolean): Around =>
  around('expandable', { title, open: isOpen ? 'true' : undefined });

type Attributes = ReadonlyMap<string, string>;
type Make = (attributes: Attributes) => Around;

const titleOf = (attributes: Attributes): string =>
  attributes.get('title') ?? attributes.get('label') ?? attributes.get('value') ?? '';
const styled =
  (style: string): Make =>
  (attributes) =>
    hint(
      styleOf(attributes.get('type') ?? attributes.get('variant') ?? attributes.get('kind') ?? '') ?? style,
      attributes.get('title'),
    );

const COMPONENTS: ReadonlyMap<string, Make> = new Map<string, Make>([
  ...['Note', 'Info', 'Callout', 'Admonition', 'Aside', 'Important'].map((name): [string, Make] => [
    name,
    styled('info'),
  ]),
  ...['Tip', 'Check', 'Success'].map((name): [string, Make] => [name, styled('success')]),
  ...['Warning', 'Caution'].map((name): [string, Make] => [name, styled('warning')]),
  ...['Danger', 'Error'].map((name): [string, Make] => [name, styled('danger')]),
  ...['Tabs', 'TabGroup'].map((name): [string, Make] => [name, tabs]),
  ...['Tab', 'TabItem'].map((name): [string, Make] => [name, (attributes) => tab(titleOf(attributes))]),
  ['Steps', () => around('stepper')],
  ['Step', (attributes) => around('step', { title: titleOf(attributes) })],
  ...['Accordion', 'Expandable', 'Details', 'Collapse'].map((name): [string, Make] => [
    name,
    (attributes) => expandable(titleOf(attributes) || (attributes.get('summary') ?? ''), attributes.has('defaultOpen')),
  ]),
]);

export const CARDS: ReadonlySet<string> = new Set(['CardGroup', 'Cards', 'CardGrid']);
export const CARD = 'Card';
/** Components that are nothing by themselves: what they hold stays. */
const PLAIN: ReadonlySet<string> = new Set(['AccordionGroup', 'Frame', 'Steps.Root', LISTING]);

export const isKnownComponent = (name: string): boolean =>
  COMPONENTS.has(name) || CARDS.has(name) || name === CARD || PLAIN.has(name);

/** What a component is here; `undefined` for one that is nothing here. */
export const componentAround = (name: string, attributes: Attributes): Around | undefined =>
  COMPONENTS.get(name)?.(attributes);

/** What a container of `:::`, `!!!` and the like is here, by its name. */
export function containerAround(name: string, title: string): Around | undefined {
  const style = styleOf(name);
  if (style !== undefined) return hint(style, title);
  return name === 'details' ? expandable(title || 'Details', false) : undefined;
}
