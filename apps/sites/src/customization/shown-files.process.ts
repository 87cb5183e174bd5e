import {
  contentBounds,
  dropUnusedLookFiles,
  endingAddress,
  keepLookFiles,
  requireNone,
  saysItsEnd,
  type ErrorDetail,
} from '@scriptorium/contracts';
import { ask, type Call, type Scope } from '@scriptorium/platform';
import { customizations } from '../model/index.js';
import type { Chosen } from './choices.js';

/** The fields with images and fonts, by their groups, and which media types they can have. */
const shown = [
  { group: 'favicon', field: 'icon', types: /^image\//, what: 'an image' },
  { group: 'header', field: 'logo', types: /^image\//, what: 'an image' },
  { group: 'footer', field: 'logo', types: /^image\//, what: 'an image' },
  { group: 'socialPreview', field: 'url', types: /^image\//, what: 'an image' },
  { group: 'styling', field: 'font', types: /^font\/|^application\/(x-)?font/, what: 'a font' },
  { group: 'styling', field: 'monospaceFont', types: /^font\/|^application\/(x-)?font/, what: 'a font' },
] as const;
type Field = (typeof shown)[number];

/** Something that is shown, where it stands in the body. */
interface Place {
  path: string;
  field: Field;
  value: string | { file: string };
}

/**
 * The choices with the addresses of the uploads that they name. These hold for as long as the look uses them.
 * @throws AppError `invalid_request` that names uploads that are not there or show nothing, and addresses that end by
 * themselves
 */
export async function withShownFiles<C extends Chosen>(
  call: Call,
  { organization, site }: { organization: string; site: string },
  wanted: C,
): Promise<Chosen> {
  const places = shown.flatMap((field) => placesIn(group(wanted, field), field, `body.${field.group}.${field.field}`));
  const uploads = places.flatMap(({ value }) => (typeof value === 'string' ? [] : [value.file]));
  requireNone(places.flatMap(endingIn));
  if (uploads.length === 0) return wanted;
  const { items } = await ask(call, keepLookFiles, { organization, site, uploads: [...new Set(uploads)] });
  const kept = new Map(items.map((item) => [item.upload, item]));
  const problem = ({ path, field, value }: Place): ErrorDetail[] => {
    if (typeof value === 'string') return [];
    const found = kept.get(value.file);
    if (found === undefined)
      return [{ path: `${path}.file`, message: 'There is no such upload of yours, or its bytes have not arrived' }];
    return field.types.test(found.contentType) ? [] : [{ path: `${path}.file`, message: `Must be ${field.what}` }];
  };
  requireNone(places.flatMap(problem));
  return replaced(wanted, (file) => kept.get(file)?.url);
}

/**
 * Drops kept files that neither the site nor one of its spaces shows any more. Safe to repeat. Nothing is dropped where
 * more addresses are used than can be told.
 */
export async function dropUnshownFiles(scope: Scope, site: string): Promise<void> {
  const looks = await scope.store.read(customizations).find({ site }).toArray();
  const used = new Set(looks.flatMap(({ settings }) => addressesIn(settings)).filter(isKeptFor(site)));
  if (used.size <= contentBounds.usedLookFiles) await ask(scope, dropUnusedLookFiles, { site, used: [...used] });
}

/** The addresses of everything that a look shows. */
function addressesIn(settings: Chosen): string[] {
  const places = shown.flatMap((field) => placesIn(group(settings, field), field, ''));
  return places.flatMap(({ value }) => (typeof value === 'string' ? value : []));
}

/** Addresses of files that are kept for a site; others are of no interest to who keeps them. */
function isKeptFor(site: string): (address: string) => boolean {
  return (address) => address.includes(`/looks/${site}/`);
}

function group(wanted: Chosen, { group: name, field }: Field): unknown {
  return (wanted[name] as Chosen | null | undefined)?.[field];
}

function placesIn(value: unknown, field: Field, path: string): Place[] {
  if (typeof value === 'string') return /^https?:/i.test(value) ? [{ path, field, value }] : [];
  if (Array.isArray(value)) return value.flatMap((item, at) => placesIn(item, field, `${path}[${at}]`));
  if (typeof value !== 'object' || value === null) return [];
  if (isUpload(value)) return [{ path, field, value }];
  return Object.entries(value).flatMap(([name, inner]) => placesIn(inner, field, `${path}.${name}`));
}

function isUpload(value: object): value is { file: string } {
  return 'file' in value && typeof value.file === 'string' && Object.keys(value).length === 1;
}

function endingIn({ path, value }: Place): ErrorDetail[] {
  return typeof value === 'string' && saysItsEnd(value) ? [{ path, message: endingAddress }] : [];
}

/** The choices with addresses in the places of uploads. */
function replaced(wanted: Chosen, urlOf: (file: string) => string | undefined): Chosen {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (typeof value !== 'object' || value === null) return value;
    if (isUpload(value)) return urlOf(value.file);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, within(inner)]));
  };
  const next: Record<string, unknown> = { ...wanted };
  for (const { group: name, field } of shown) {
    const own = next[name] as Chosen | null | undefined;
    if (own?.[field] !== undefined) next[name] = { ...own, [field]: within(own[field]) };
  }
  return next;
}
