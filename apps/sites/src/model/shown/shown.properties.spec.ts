import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shownStructure } from './shown.js';
import type { ItemState, SectionState, SiteSpaceState, Structure } from '../structure/structure.js';

/** Claims of visitors, and conditions beside what they mean, written without the language of conditions. */
interface Known {
  plan?: string;
  beta?: boolean;
}
const meanings: readonly (readonly [string | null, (claims: Known, type: string) => boolean])[] = [
  [null, () => true],
  ['', () => true],
  ['visitor.claims.beta', ({ beta }) => beta === true],
  ['!visitor.claims.beta', ({ beta }) => beta !== true],
  ['visitor.claims.plan == "paid"', ({ plan }) => plan === 'paid'],
  [
    'visitor.claims.plan != "paid" && visitor.claims.beta == true',
    ({ plan, beta }) => plan !== 'paid' && beta === true,
  ],
  ['visitor.claims.plan == "paid" || visitor.claims.beta', ({ plan, beta }) => plan === 'paid' || beta === true],
  ['visitor.type == "agent"', (_claims, type) => type === 'agent'],
  ['broken(', () => false],
  ['visitor.claims.plan.length.at(0)', () => false],
];
const meaningOf = new Map(meanings);

const adaptiveSchema = {
  type: 'object',
  properties: { plan: { type: 'string', enum: ['free', 'paid'] }, beta: { type: 'boolean' } },
  additionalProperties: false,
};

const condition = fc.constantFrom(...meanings.map(([text]) => text));
const places = fc.array(fc.record({ isGroup: fc.boolean(), parent: fc.nat(6), condition }), { maxLength: 10 });
const spaces = fc.array(
  fc.record({
    section: fc.nat(10),
    condition,
    hidden: fc.boolean(),
    isLiving: fc.constantFrom(true, true, true, false),
  }),
  { maxLength: 14 },
);
const claims = fc.record(
  { plan: fc.constantFrom('free', 'paid', 'other'), beta: fc.constantFrom<boolean | string>(true, false, 'yes') },
  { requiredKeys: [] },
);

type Place = { isGroup: boolean; parent: number; condition: string | null };
type Space = { section: number; condition: string | null; hidden: boolean; isLiving: boolean };

/** A structure as the rules allow it: groups stand in groups before them, and spaces in sections, if there are any. */
function structureOf(given: readonly Place[], on: readonly Space[], byDefault: number) {
  const items: ItemState[] = [];
  for (const [index, place] of given.entries()) {
    const groups = items.filter(({ kind }) => kind === 'group');
    const parent = groups[place.parent]?.id ?? null;
    const base = { id: `item-${index}`, title: `Title ${index}`, icon: null, parent };
    if (place.isGroup) items.push({ ...base, kind: 'group' });
    else
      items.push({
        ...base,
        kind: 'section',
        path: base.id,
        description: null,
        condition: place.condition,
        defaultSpace: null,
      });
  }
  const sections = items.filter((item): item is SectionState => item.kind === 'section');
  const siteSpaces = on.map((space, index): SiteSpaceState => {
    const section = sections.length === 0 ? null : (sections[space.section % sections.length]?.id ?? null);
    const { condition: own, hidden } = space;
    return { id: `site-space-${index}`, space: `space-${index}`, section, path: `p${index}`, condition: own, hidden };
  });
  for (const section of sections)
    section.defaultSpace = siteSpaces.filter((one) => one.section === section.id).at(byDefault % 3)?.id ?? null;
  const defaultSpace = sections.length === 0 ? (siteSpaces.at(byDefault % 3)?.id ?? null) : null;
  const structure: Structure = {
    items,
    siteSpaces,
    defaultSection: sections.at(byDefault % 2)?.id ?? null,
    defaultSpace,
  };
  return { structure, sections };
}

describe('what visitors see of any site', () => {
  it('is what each condition says on its own, read one by one', () => {
    fc.assert(
      fc.property(
        places,
        spaces,
        claims,
        fc.constantFrom('human', 'agent'),
        fc.boolean(),
        fc.nat(5),
        (items, on, has, type, adaptive, nth) => {
          const { structure, sections } = structureOf(items, on, nth);
          const known: Known = !adaptive
            ? {}
            : {
                ...(has.plan === 'free' || has.plan === 'paid' ? { plan: has.plan } : {}),
                ...(typeof has.beta === 'boolean' ? { beta: has.beta } : {}),
              };
          const holds = (text: string | null): boolean => meaningOf.get(text)?.(known, type) ?? false;
          const site = { adaptiveContent: adaptive, adaptiveSchema, structure };
          const viewer = { kind: 'visitor', claims: has, type } as const;
          const shown = shownStructure(site, viewer, (space) => on[Number(space.slice(6))]?.isLiving === true);

          const isSeen = (one: SiteSpaceState, index: number): boolean => {
            const section = sections.find(({ id }) => id === one.section);
            return (
              on[index]?.isLiving === true &&
              !one.hidden &&
              holds(one.condition) &&
              (section === undefined || holds(section.condition))
            );
          };
          const seen = structure.siteSpaces.filter(isSeen);
          const isFilled = (item: ItemState): boolean =>
            item.kind === 'section'
              ? seen.some(({ section }) => section === item.id)
              : structure.items.some((other) => other.parent === item.id && isFilled(other));
          expect(shown.siteSpaces.map(({ id }) => id)).toEqual(seen.map(({ id }) => id));
          expect(shown.items.map(({ id }) => id)).toEqual(structure.items.filter(isFilled).map(({ id }) => id));
          const conditions = [...shown.items, ...shown.siteSpaces].map((one) =>
            'condition' in one ? one.condition : null,
          );
          expect(conditions.every((one) => one === null)).toBe(true);
          // A default is always one of those that are shown.
          const ids = new Set(shown.siteSpaces.map(({ id }) => id));
          for (const item of shown.items)
            if (item.kind === 'section') expect(ids.has(item.defaultSpace ?? '')).toBe(true);
          if (shown.defaultSection !== null)
            expect(shown.items.some(({ id }) => id === shown.defaultSection)).toBe(true);
          if (shown.defaultSpace !== null) expect(ids.has(shown.defaultSpace)).toBe(true);
        },
      ),
      { seed: Number(process.env['SEED']), numRuns: 1_000 },
    );
  });
});
