import { createConfig, lintDocument, Source, type Config, type NormalizedProblem } from '@redocly/openapi-core';
import { GivenDocuments, type OtherDocuments } from '../documents/given-documents.js';
import { passesInternal } from '../documents/internal/mark-internal.js';
import { partsOf, pointerOf } from '../documents/pointers.js';
import { placeOfPointer } from '../text/place-of-pointer.js';
import { placeOf } from '../text/unreadable.js';
import { explained } from './explain-references.js';
import { mostProblems, problem, type Problem, type Problems } from './problem.js';

/** A text with what was read of it. */
export interface LintInput {
  text: string;
  value: unknown;
  /** Where the text came from, for relative references; `null` when it came from nowhere. */
  location: string | null;
  others: OtherDocuments;
  /** Where references led to themselves before they were taken out. */
  circular: readonly (readonly string[])[];
  /** What is wrong with the version. */
  version: string | null;
  /** Members named `__proto__`, which were taken out. */
  takenOut: number;
}

/** The name of a text that came from nowhere. No path of the machine. */
const nameless = 'specification';

let config: Promise<Config> | undefined;

function rules(): Promise<Config> {
  config ??= createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } });
  return config;
}

/** What the rules of OpenAPI find, in the order of the text. Never throws because of the text. */
export async function lint(input: LintInput): Promise<Problems> {
  const source = new Source(input.location ?? nameless, input.text);
  const circular = input.circular.map((parts) =>
    located(
      source,
      pointerOf(parts),
      problem('A reference that leads to itself', { code: 'circular', severity: 'error' }),
    ),
  );
  const own = [...circular, ...versionIn(input, source), ...takenOutOf(input)];
  const found = explained(await lintSource(input, source), input);
  // What stands in a part that is marked as internal is not told: whoever may read the specification reads problems.
  const shown = found.filter(({ location: [place] }) => !isInternal(input.value, place?.pointer ?? ''));
  const items = shown.slice(0, mostProblems).map((one) => problemOf(one, source));
  return {
    items: [...own, ...items].slice(0, mostProblems).sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    count: own.length + shown.length,
  };
}

function versionIn({ version }: LintInput, source: Source): Problem[] {
  if (version === null) return [];
  return [located(source, '/openapi', problem(version, { code: 'struct', severity: 'error' }))];
}

function takenOutOf({ takenOut, text }: LintInput): Problem[] {
  if (takenOut === 0) return [];
  const offset = text.indexOf('__proto__');
  const found = problem('A member that is called __proto__ is left out', { code: 'struct', severity: 'error' });
  return [offset === -1 ? found : { ...found, ...placeOf(text, offset) }];
}

async function lintSource({ value, others }: LintInput, source: Source): Promise<NormalizedProblem[]> {
  try {
    return await lintDocument({
      document: { source, parsed: value },
      externalRefResolver: new GivenDocuments(others),
      config: await rules(),
    });
  } catch (error) {
    const message = `It could not be checked further: ${error instanceof Error ? error.message : 'an unknown mistake'}`;
    return [{ message, ruleId: 'struct', severity: 'error', location: [], suggest: [] }];
  }
}

function problemOf({ message, ruleId, severity, location: [place] }: NormalizedProblem, source: Source): Problem {
  const found = problem(message, { code: ruleId, severity: severity === 'warn' ? 'warning' : 'error' });
  if (place === undefined || place.source.absoluteRef !== source.absoluteRef) return found;
  return place.pointer === undefined
    ? { ...found, line: place.start.line, column: place.start.col }
    : located(source, place.pointer.replace(/^#/, ''), found, place.reportOnKey);
}

function located(source: Source, pointer: string, found: Problem, reportOnKey = false): Problem {
  return { ...found, pointer, ...placeOfPointer(source, pointer, reportOnKey) };
}

function isInternal(root: unknown, pointer: string): boolean {
  return passesInternal(root, partsOf(`#${pointer.replace(/^#/, '')}`) ?? []);
}
