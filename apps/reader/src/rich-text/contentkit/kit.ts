import type { ComponentBudget, RenderContext } from '../render-context.js';
import type { Fields } from '../rendered-component.js';

/** What the elements of one component are shown with. */
export interface Kit {
  ctx: RenderContext;
  /** What the component is called. */
  title: string;
  state: Fields;
  /** The sources from which the integration states that it shows frames. */
  frames: readonly string[];
  /** What is left of what one component may show. */
  left: ComponentBudget;
}

/** Of one component. What is beyond is left out. */
export const most = { elements: 2_000, characters: 100_000, depth: 24 };
/** Of all components of a page, which share them. */
export const mostOfPage: ComponentBudget = { elements: 5_000, characters: 200_000 };

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field that has to be a text; empty for anything else. */
export function nameIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** A text, or what stands for one in the state of the component; empty for anything else. What is too long is cut. */
export function textOf(kit: Kit, value: unknown): string {
  const { left } = kit;
  if (value === undefined || left.elements <= 0) return '';
  const lines = wholeText(kit, value).slice(0, left.characters).split('\n', left.elements);
  const shown = lines.join('\n');
  left.elements -= lines.length;
  left.characters -= shown.length;
  return shown;
}

function wholeText({ state }: Pick<Kit, 'state'>, value: unknown): string {
  const name = isFields(value) ? value['$state'] : undefined;
  const found = typeof name === 'string' ? (Object.hasOwn(state, name) ? state[name] : '') : value;
  return typeof found === 'number' ? String(found) : typeof found === 'string' ? found : '';
}

/** Characters of an address, and parameters of its query. */
const longestAddress = 2_048;
const mostParameters = 50;

/** An address that a link may have; `undefined` for one with another scheme, or none. Its characters count, too. */
export function addressOf(kit: Kit, value: unknown): string | undefined {
  const isBuilt = isFields(value) && typeof value['host'] === 'string';
  const text = isBuilt ? builtAddress(kit, value) : wholeText(kit, value);
  if (text.length > longestAddress) return undefined;
  if (!/^\s*(?:https?:\/\/|mailto:)/i.test(text) || !URL.canParse(text)) return undefined;
  const { href } = new URL(text);
  if (href.length > kit.left.characters) return undefined;
  kit.left.characters -= href.length;
  return href;
}

/** An address in parts, as ContentKit has it for those that depend on the state; empty for what is too long. */
function builtAddress(kit: Kit, { host, pathname, query }: Fields): string {
  const base = `https://${String(host)}`;
  const path = wholeText(kit, pathname);
  const given = Object.entries(isFields(query) ? query : {}).slice(0, mostParameters);
  const parameters = given.map(([name, value]) => [name, wholeText(kit, value)] satisfies [string, string]);
  const length = parameters.reduce((sum, [name, value]) => sum + name.length + value.length, base.length + path.length);
  if (length > longestAddress || !URL.canParse(base)) return '';
  const url = new URL(base);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') return '';
  url.pathname = path;
  url.search = new URLSearchParams(parameters).toString();
  return url.href;
}

/** Where an action leads that only opens an address: others need the script of the integration. */
export function openedBy(kit: Kit, action: unknown): string | undefined {
  return isFields(action) && action['action'] === '@ui.url.open' ? addressOf(kit, action['url']) : undefined;
}
