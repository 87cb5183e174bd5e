import { UnreadableSpecification } from './unreadable.js';

/** Levels of objects and arrays. */
export const mostLevels = 256;
const most = { values: 5_000_000, characters: 64 * 1024 * 1024 };

/** What a value weighs when everything that is named several times is written out. */
interface Weight {
  values: number;
  characters: number;
  levels: number;
}

/**
 * Makes a parsed value safe to walk: refuses what is too large or too deep once aliases are written out, and what
 * contains itself; takes out members named `__proto__`, and tells how many; turns numbers that JSON does not have
 * into texts. `mostGrowth`: how many times as many values aliases may make of it.
 * @throws UntamedValue
 */
export function tame(value: unknown, mostGrowth = Infinity): { takenOut: number } {
  const walk: Walk = { known: new Map(), within: new Set(), written: 0, takenOut: 0, path: [] };
  try {
    const { values } = weigh(value, 0, walk);
    if (values > walk.written * mostGrowth) throw tooComplex();
  } catch (error) {
    throw error instanceof UnreadableSpecification ? new UntamedValue(error.message, walk.path) : error;
  }
  return { takenOut: walk.takenOut };
}

/** A value that cannot be walked, with the way to the part that shows it. */
export class UntamedValue extends Error {
  constructor(
    message: string,
    readonly path: readonly string[],
  ) {
    super(message);
    this.name = 'UntamedValue';
  }
}

interface Walk {
  /** What was weighed: aliases make one object stand in several places. */
  known: Map<object, Weight>;
  /** What is being weighed. */
  within: Set<object>;
  /** Values as they are written, each once. */
  written: number;
  /** Members that were taken out. */
  takenOut: number;
  /** The way to what is being weighed. */
  path: string[];
}

function weigh(node: unknown, level: number, walk: Walk): Weight {
  const seen = typeof node === 'object' && node !== null ? walk.known.get(node) : undefined;
  if (seen !== undefined) {
    if (level + seen.levels > mostLevels) throw tooDeep();
    return seen;
  }
  walk.written += 1;
  if (typeof node === 'string') return { values: 1, characters: node.length, levels: 0 };
  if (typeof node !== 'object' || node === null) return { values: 1, characters: 8, levels: 0 };
  if (walk.within.has(node)) throw new UnreadableSpecification('An alias stands within what it names');
  if (level >= mostLevels) throw tooDeep();
  walk.within.add(node);
  const weight = weighMembers(node as Record<string, unknown>, level, walk);
  walk.within.delete(node);
  walk.known.set(node, weight);
  return weight;
}

function weighMembers(node: Record<string, unknown>, level: number, walk: Walk): Weight {
  const total = { values: 1, characters: 2, levels: 1 };
  for (const key of Object.keys(node)) {
    if (key === '__proto__') {
      delete node[key];
      walk.takenOut += 1;
      continue;
    }
    const member = node[key];
    if (isNoJson(member)) node[key] = String(member);
    walk.path.push(key);
    const weight = weigh(node[key], level + 1, walk);
    total.values += weight.values;
    total.characters += weight.characters + key.length;
    total.levels = Math.max(total.levels, weight.levels + 1);
    if (total.values > most.values || total.characters > most.characters) throw tooComplex();
    walk.path.pop();
  }
  return total;
}

function isNoJson(value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value));
}

function tooDeep(): UnreadableSpecification {
  return new UnreadableSpecification(`It nests deeper than ${mostLevels} levels`);
}

function tooComplex(): UnreadableSpecification {
  return new UnreadableSpecification('It is too complex: its aliases stand for too much');
}
