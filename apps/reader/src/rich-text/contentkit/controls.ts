import { classes, el, type HtmlNode } from '../html.js';
import { icon } from '../icons.js';
import { outside } from '../inlines.js';
import { lineOf } from './inline-elements.js';
import type { Fields } from '../rendered-component.js';
import { isFields, openedBy, textOf, type Kit } from './kit.js';

/** A button that opens an address is a link to it; of others, which need the script of the integration, the label. */
export function button(kit: Kit, { label, icon: named, onPress, style, disabled }: Fields): HtmlNode[] {
  const text = textOf(kit, label);
  const href = disabled === true ? undefined : openedBy(kit, onPress);
  const drawn = typeof named === 'string' && named !== '' ? [icon(named, { isSolid: kit.ctx.isSolid }), ' '] : [];
  if (href === undefined) return text === '' ? [] : [el('span', classes('option'), drawn, text)];
  const look = classes('button', style !== 'primary' && style !== 'danger' && 'secondary');
  return [el('a', { ...look, href, ...outside(kit.ctx) }, drawn, text || href)];
}

/** What somebody could enter: its label, and what stands in it. */
export function input(kit: Kit, { label, hint, element }: Fields): HtmlNode[] {
  const named = textOf(kit, label);
  const about = lineOf(kit, hint);
  const inside = isFields(element) ? valueOf(kit, element) : [];
  return [
    ...(named === '' && inside.length === 0 ? [] : [el('p', {}, el('strong', {}, named), ' ', inside)]),
    ...(about.length === 0 ? [] : [el('p', {}, el('small', {}, about))]),
  ];
}

/** Of the values that one control holds; others are left out. */
const mostChosen = 1_000;

/** What stands for a password, however long it is. */
const dots = '•'.repeat(8);

/** What a control holds: a text, dots for a password, the labels of what is chosen, or whether it is on. */
export function valueOf(kit: Kit, element: Fields): HtmlNode[] {
  const { type, state, initialValue, options, value, placeholder, inputType } = element;
  if (type === 'button') return button(kit, element);
  const given = typeof state === 'string' && Object.hasOwn(kit.state, state) ? kit.state[state] : initialValue;
  if (type === 'switch') return [mark(given === true)];
  const held = (Array.isArray(given) ? (given as unknown[]) : [given]).slice(0, mostChosen);
  if (type === 'checkbox' || type === 'radio') return [mark(held.includes(value))];
  const labels = labelsOf(options);
  const words = held.map((one) => textOf(kit, labels.get(one) ?? one)).filter((one) => one !== '');
  const said = inputType === 'password' ? dots : words.join(', ');
  const shown = words.length > 0 ? said : textOf(kit, placeholder);
  return shown === '' ? [] : [el('span', classes('option'), shown)];
}

function mark(isOn: boolean): HtmlNode {
  return { type: 'text', value: isOn ? '☑' : '☐' };
}

/** What options are called, by their ids. */
function labelsOf(options: unknown): Map<unknown, unknown> {
  const known = Array.isArray(options) ? (options as unknown[]).filter(isFields) : [];
  return new Map(known.map(({ id, label }) => [id, label]));
}
