import { parseMarkdown, RichTextError, type Dialect } from '../index.js';

/** What reading a text cost. */
export interface Cost {
  /** Processor time, which the load of the machine changes little. */
  ms: number;
  /** The reason, when it was refused. */
  refused: string | null;
}

/** Reads a text as a page. */
export function cost(text: string, dialect?: Dialect): Cost {
  const start = process.cpuUsage();
  let refused: string | null = null;
  try {
    parseMarkdown(text, { context: 'page', ...(dialect !== undefined && { dialect }) });
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    refused = error.reason;
  }
  const { user, system } = process.cpuUsage(start);
  return { ms: (user + system) / 1000, refused };
}

const sentence =
  'Lorem **ipsum** dolor sit `amet`, consectetur [adipiscing](https://example.com/x) elit, sed do _eiusmod_';
const paragraph = `${sentence} tempor incididunt ut labore.\n\n`;

/** A usual page of 100 KB. */
export const usualPage =
  `## Section\n\n${paragraph.repeat(3)}* one item\n* two **items**\n\n> a quote\n\n\`\`\`js\nconst x = 1;\n\`\`\`\n\n`
    .repeat(200)
    .slice(0, 100_000);

/** The least of some tries: whoever else uses the machine only adds to it. Tries end when one is good enough. */
export function leastCost(text: string, enough: number, tries: number): Cost {
  let best = cost(text);
  for (let i = 1; i < tries && best.ms > enough; i++) {
    const next = cost(text);
    if (next.ms < best.ms) best = next;
  }
  return best;
}

/**
 * 200 ms on a machine on which a page of 100 KB takes the 40 ms it may take, and on a slower one as many times more.
 */
export function slowMs(): number {
  cost(usualPage);
  return Math.max(200, 5 * leastCost(usualPage, 40, 5).ms);
}
