import { withYaml } from './front-matter.js';
import { escaped } from './html.js';
import { includedPaths, withIncludes, type IncludedText } from './includes.js';
import { linesOf, type Line } from './lines.js';
import { withoutModules } from './modules.js';
import { withoutHalves } from './pairs.js';
import { readContainers } from './read-containers.js';
import { withoutExpressions, type Reading } from './split-tags.js';

/** How a text is written: with the containers of other products as well, or as MDX. */
export type Dialect = 'other' | 'mdx';

/** Names of what was left out that are given. */
const MOST_NAMES = 20;
const LONGEST_NAME = 64;

/**
 * A text of another product as markdown of this format. Containers, components and sizes of images that have an equal
 * here become that; what is code of a generator of sites is left out, and named in `leftOut`; all else stays as it is.
 */
export function readDialect(
  text: string,
  dialect: Dialect,
  included?: IncludedText,
): { markdown: string; leftOut: string[] } {
  const reading: Reading = { isMdx: dialect === 'mdx', leftOut: new Set() };
  const { front, body } = parted(withYaml(text));
  const written = withIncludes(linesOf(body, !reading.isMdx), included, reading.leftOut);
  const lines = withoutExpressions(withoutModules(written, reading), reading);
  const markdown = readContainers(reading.isMdx ? lines : withoutHalves(lines), reading)
    .map(withSizes)
    .join('\n');
  const leftOut = [...reading.leftOut].slice(0, MOST_NAMES).map((name) => name.slice(0, LONGEST_NAME));
  return { markdown: front + markdown, leftOut };
}

/** The paths of files that blocks of code of a text show (see `ParseOptions.included`), each once. */
export function includesOf(text: string, dialect: Dialect): string[] {
  return text.includes('{{') ? includedPaths(linesOf(parted(text).body, dialect !== 'mdx')) : [];
}

/** Front matter is not read here. */
function parted(text: string): { front: string; body: string } {
  const front = /^\ufeff?---[ \t]*\r?\n(?:[^]*?\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text)?.[0] ?? '';
  return { front, body: text.slice(front.length) };
}

const SIZED =
  /!\[([^\][\n]{0,1000})\]\(([^\s()<>]{1,2000})(?:[ \t]+"([^"\n]{0,1000})")?[ \t]+=(\d+%?)?x(\d+%?)?[ \t]*\)/g;

/** A line in which images that name their size are elements. */
function withSizes({ text, isCode }: Line): string {
  if (isCode || !text.includes('x') || !text.includes('](')) return text;
  return text.replace(
    SIZED,
    (whole, alt: string, src: string, title: string | undefined, width?: string, height?: string) => {
      const image = `<img${attribute('src', src)}${attribute('alt', alt)}${attribute('width', width)}${attribute('height', height)}>`;
      if (whole !== text.trim())
        return title === undefined ? image : image.replace(/>$/, `${attribute('title', title)}>`);
      return `<figure>${image}${title === undefined ? '' : `<figcaption>${escaped(title)}</figcaption>`}</figure>`;
    },
  );
}

const attribute = (name: string, value: string | undefined): string =>
  value === undefined ? '' : ` ${name}="${escaped(value)}"`;
