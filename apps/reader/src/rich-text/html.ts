/** HTML as data, in the form of hast. Texts in it are escaped when it is written. */
export type HtmlNode = HtmlElement | HtmlText | HtmlRaw;
export interface HtmlElement {
  type: 'element';
  tagName: string;
  properties: Properties;
  children: HtmlNode[];
}
export interface HtmlText {
  type: 'text';
  value: string;
}
/** Markup that a library has made. Nothing of an author ever becomes one. */
export interface HtmlRaw {
  type: 'raw';
  value: string;
}
export type Properties = Record<string, string | number | boolean | string[] | undefined>;
export type Child = HtmlNode | string | undefined | readonly Child[];

/** An element. Properties have the names of hast (`className`, `htmlFor`); those that are `undefined` are left out. */
export function el(tagName: string, properties: Properties, ...children: Child[]): HtmlElement {
  return { type: 'element', tagName, properties, children: nodesOf(children) };
}

/** Children in one list, texts as nodes, without those that are `undefined`. */
export function nodesOf(children: readonly Child[]): HtmlNode[] {
  const nodes: HtmlNode[] = [];
  for (const child of children) {
    if (child === undefined) continue;
    if (typeof child === 'string') nodes.push({ type: 'text', value: child });
    else if (isList(child)) for (const one of nodesOf(child)) nodes.push(one);
    else nodes.push(child);
  }
  return nodes;
}

function isList(child: HtmlNode | readonly Child[]): child is readonly Child[] {
  return Array.isArray(child);
}

/** Names of classes, without those that do not apply. */
export function classes(...names: (string | false | undefined)[]): Properties {
  const set = names.filter((name): name is string => typeof name === 'string' && name !== '');
  return set.length === 0 ? {} : { className: set };
}
