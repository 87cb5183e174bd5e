import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { merge, parseMarkdown, toMarkdown, type RichDocument } from '../index.js';
import { runs, SEED } from '../test/arbitraries.js';

/** A section as pages of references have them: most of its lines stand in every other, too. */
type Section = { name: string; about: string; call: string; note: string };
type Edit = { kind: 'add' | 'remove' | 'move' | 'about' | 'call' | 'note'; at: number; to: number };

const VERBS = ['Returns', 'Creates', 'Lists', 'Deletes'];
const sectionOf = (name: string, id: number): Section => ({
  name,
  about: `${VERBS[id % VERBS.length] ?? ''} the ${name} of the account.`,
  call: `curl https://api.example.com/${name}`,
  note: '',
});

function textOf({ name, about, call, note }: Section): string {
  const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
  return [
    `## ${name}`,
    about,
    'Requires a token.',
    'Example:',
    fence('sh', call),
    'Response:',
    fence('json', `{\n  "ok": true,\n  "id": "${name}"\n}`),
    note,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function edited(base: readonly Section[], edits: readonly Edit[], side: string): Section[] {
  const out = base.map((section) => ({ ...section }));
  edits.forEach(({ kind, at, to }, n) => {
    const section = out[at % Math.max(out.length, 1)];
    const behind = to % (out.length + 1);
    if (kind === 'add') return void out.splice(behind, 0, sectionOf(`${side}${n}`, to));
    if (!section) return;
    if (kind === 'remove' || kind === 'move') out.splice(out.indexOf(section), 1);
    if (kind === 'move') out.splice(to % (out.length + 1), 0, section);
    if (kind === 'about') section.about = section.about.replace('account', `account ${side}`);
    if (kind === 'call') section.call += ` -${side}`;
    if (kind === 'note') section.note = `More on ${section.name} by ${side}.`;
  });
  return out;
}

const byName = (sections: readonly Section[]): Map<string, Section> =>
  new Map(sections.map((section) => [section.name, section]));
const same = (a: Section, b: Section): boolean => textOf(a) === textOf(b);

/** The section with what each side changed of it; null where both changed the same. */
function joined(before: Section, a: Section, b: Section): Section | null {
  const part = (key: keyof Section): string => (a[key] === before[key] ? b[key] : a[key]);
  const clash = (['about', 'call', 'note'] as const).some(
    (key) => a[key] !== before[key] && b[key] !== before[key] && a[key] !== b[key],
  );
  return clash ? null : { name: before.name, about: part('about'), call: part('call'), note: part('note') };
}

/** What a person would make of both; null where they would have to ask. */
function expected(base: readonly Section[], ours: readonly Section[], theirs: readonly Section[]): Section[] | null {
  const [was, mine, other] = [byName(base), byName(ours), byName(theirs)];
  const out: Array<Section | null> = [];
  for (const name of new Set([...was.keys(), ...mine.keys(), ...other.keys()])) {
    const [before, a, b] = [was.get(name), mine.get(name), other.get(name)];
    if (before && a && b) out.push(joined(before, a, b));
    else if (!before) out.push(a ?? b ?? null);
    else if (!same(before, a ?? b ?? before)) out.push(null);
  }
  return out.every((section) => section !== null) ? out : null;
}

const page = (sections: readonly Section[]): string => ['Introduction.', ...sections.map(textOf)].join('\n\n');
const read = (sections: readonly Section[], previous?: RichDocument): RichDocument =>
  parseMarkdown(page(sections), previous ? { previous } : {}).document;
const sections = (text: string): string[] =>
  text
    .trim()
    .split(/\n+(?=## )/)
    .sort();
const written = (all: readonly Section[]): string[] => sections(toMarkdown(parseMarkdown(page(all)).document));

const place = fc.nat(9);
const editsOf = (...kinds: Edit['kind'][]): fc.Arbitrary<Edit[]> =>
  fc.array(fc.record({ kind: fc.constantFrom(...kinds), at: place, to: place }), { minLength: 1, maxLength: 3 });
const bases = fc
  .integer({ min: 1, max: 5 })
  .map((count) => Array.from({ length: count }, (_, n) => sectionOf(`r${n}`, n)));

describe(`pages of sections that are much alike, edited by two (seed ${SEED})`, () => {
  it.each<[string, Edit['kind'][], Edit['kind'][]]>([
    ['added and removed by one', ['add', 'remove', 'about', 'call', 'note'], ['add', 'about', 'call', 'note']],
    ['removed by both', ['remove', 'about', 'call', 'note'], ['add', 'remove', 'about', 'call', 'note']],
    ['moved by one', ['add', 'move', 'about', 'call', 'note'], ['add', 'remove', 'about', 'call', 'note']],
  ])('are merged without loss: %s', (_name, mine, others) => {
    fc.assert(
      fc.property(bases, editsOf(...mine), editsOf(...others), (base, a, b) => {
        const [ours, theirs] = [edited(base, a, 'ours'), edited(base, b, 'theirs')];
        const wanted = expected(base, ours, theirs);
        if (wanted === null) return;
        const root = read(base);
        const { document, conflicts } = merge(root, read(ours, root), read(theirs, root));
        expect(sections(toMarkdown(document))).toEqual(written(wanted));
        expect(conflicts.filter(({ kind }) => kind !== 'delete')).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });
});
