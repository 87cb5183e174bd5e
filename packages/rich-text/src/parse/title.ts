import { DEFINITIONS, isBlank, names, type Md } from '../syntax/md.js';
import { lineOf, nestElements } from './elements.js';
import { type FrontMatter } from './front-matter.js';
import { namesAhead, withoutId } from './headings.js';

const LONGEST_TITLE = 255;

/**
 * A heading is no title where it is too long for one, and where front matter has another one, in which case it would be
 * lost.
 */
export function canBeTitle(heading: string, frontMatter: FrontMatter | undefined): boolean {
  const given = frontMatter?.other?.['title'];
  const isOther = (typeof given === 'string' || typeof given === 'number') && String(given) !== heading;
  return heading.length <= LONGEST_TITLE && !isOther;
}

/** A title, and how many pictures stood in it. */
export type TakenTitle = { title: string; pictures: number };

/**
 * Takes the title out of the nodes of a page: its first heading, if only what says nothing and pictures, which stay,
 * stand before it. A title is a text: pictures in it leave what stands for them, and stand first on the page.
 */
export function takeTitle(
  source: string,
  children: Md[],
  isTitle: (heading: string) => boolean,
): TakenTitle | undefined {
  const index = children.findIndex((node) => !saysNothing(node) && !isPictures([node]));
  const heading = children[index];
  if (heading?.type !== 'heading' || heading.depth !== 1) return undefined;
  const title = lineOf(withoutId({ source }, heading.children ?? []).text);
  if (title === '' || !isTitle(title)) return undefined;
  const before = children.slice(0, index).filter((node) => !saysNothing(node));
  const pictures = picturesIn(heading.children ?? []);
  const shown = pictures.map((picture): Md => ({ type: 'paragraph', children: [picture] }));
  children.splice(0, index + 1, ...before, ...shown);
  return { title, pictures: pictures.length };
}

/** The pictures among some nodes, each within the link that it has alone. */
function picturesIn(nodes: Md[]): Md[] {
  return nestElements(nodes, true).flatMap((node) => {
    const isAlone = node.type === 'link' || node.type === 'linkReference' ? isPictures([node]) : isPicture(node);
    return isAlone ? [node] : picturesIn(node.children ?? []);
  });
}

function isPicture(node: Md): boolean {
  return node.type === 'image' || node.type === 'imageReference' || node.name === 'img';
}

/** Definitions, comments and empty anchors may stand before a title. */
function saysNothing(node: Md): boolean {
  if (node.type === 'html') return nestElements([node], false).every(isBlank);
  return DEFINITIONS.has(node.type) || (node.type === 'paragraph' && namesAhead(node.children ?? []) !== undefined);
}

/** What can stand around pictures and between them without a word of its own. */
const AROUND = names('paragraph link linkReference');
const ELEMENTS_AROUND = names('p div center a picture figure source br span');

/** True for pictures and badges, also within links, without any words. */
function isPictures(nodes: Md[]): boolean {
  let count = 0;
  const isPart = (node: Md): boolean => {
    if (isBlank(node) || node.type === 'break') return true;
    if (isPicture(node)) return ++count > 0;
    const isAround = node.type === 'element' ? ELEMENTS_AROUND.has(node.name ?? '') : AROUND.has(node.type);
    return isAround && nestElements(node.children ?? [], true).every(isPart);
  };
  return nestElements(nodes, false).every(isPart) && count > 0;
}
