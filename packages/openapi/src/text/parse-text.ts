import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
import { mostLevels, tame, UntamedValue } from './guard.js';
import { offsetOfJsonError } from './json-error.js';
import { placeInText } from './place-of-pointer.js';
import { beginningOf, markupIn, secondDocumentIn } from './received.js';
import { placeOf, UnreadableSpecification } from './unreadable.js';

export interface ParsedText {
  format: 'json' | 'yaml';
  /** Bounded, and free of cycles; what YAML names several times is one object in several places. */
  value: unknown;
  /** Members named `__proto__`, which were taken out. */
  takenOut: number;
}

/** What YAML 1.2 has, and `<<`, which generators of specifications write. Dates and binary data stay texts. */
const schema = CORE_SCHEMA.withTags(mergeTag);

/**
 * Reads JSON or YAML. Aliases may make at most `mostGrowth` times as many values of it.
 * @throws UnreadableSpecification with the place of the mistake
 */
export function parseText(text: string, mostGrowth = Infinity): ParsedText {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  const format = /^\s*\{/.test(plain) ? 'json' : 'yaml';
  const value = format === 'json' ? parseJson(plain) : parseYaml(plain);
  return { format, value, ...tamed(plain, value, mostGrowth) };
}

function tamed(text: string, value: unknown, mostGrowth: number): { takenOut: number } {
  try {
    return tame(value, mostGrowth);
  } catch (error) {
    if (error instanceof UntamedValue) throw new UnreadableSpecification(error.message, placeInText(text, error.path));
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A flow mapping of YAML starts as an object of JSON does; large texts are JSON.
    const yaml = text.length <= mostFlowCharacters ? flowMapping(text) : null;
    if (yaml !== null) return yaml;
    const offset = offsetOfJsonError(text);
    const at = offset >= text.length ? 'it ends too early' : `unexpected ${JSON.stringify(text.charAt(offset))}`;
    throw unreadable('JSON', at, placeOf(text, offset));
  }
}

const mostFlowCharacters = 100_000;

/** A mapping that is written in braces, without the quotes that JSON needs. */
function flowMapping(text: string): unknown {
  if (!/^\s*\{\s*[\w$'-]/.test(text)) return null;
  try {
    return load(text, { schema, maxDepth: mostLevels });
  } catch {
    return null;
  }
}

function parseYaml(text: string): unknown {
  try {
    return load(text, { schema, maxDepth: mostLevels });
  } catch (error) {
    if (error instanceof YAMLException) {
      const markup = markupIn(text);
      if (markup !== null) throw new UnreadableSpecification(`It is not YAML: it is ${markup}`, beginningOf(text));
      const second = error.reason.includes('single document') ? secondDocumentIn(text) : null;
      if (second !== null) throw unreadable('YAML', 'a second document begins', second);
      const { line, column } = error.mark ?? { line: 0, column: 0 };
      throw unreadable('YAML', error.reason, { line: line + 1, column: column + 1 });
    }
    if (error instanceof RangeError) throw new UnreadableSpecification('It nests too deeply');
    throw error;
  }
}

function unreadable(format: string, why: string, place: { line: number; column: number }): UnreadableSpecification {
  const { line, column } = place;
  return new UnreadableSpecification(`It is not ${format}: ${why} at line ${line}, column ${column}`, place);
}
