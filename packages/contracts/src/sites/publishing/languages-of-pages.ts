/** One of the spaces of a section, or of a site without sections. */
export interface VariantSpace {
  /** The id of the space. */
  space: string;
  language?: string | undefined;
  /** Whether it is the one of its variants that is shown first. */
  isDefault: boolean;
}

/** A language in which pages are offered, as `hreflang` names it, and the space that has them. */
export interface OfferedLanguage<V extends VariantSpace> {
  hreflang: string;
  variant: V;
}

/**
 * The languages in which the pages of variants are offered: of each language the first space that says it, the default
 * one before others; and `x-default`, for all other readers, the default one. None where only one space would be named.
 * Pure.
 */
export function offeredLanguages<V extends VariantSpace>(variants: readonly V[]): OfferedLanguage<V>[] {
  const first = variants.find(({ isDefault }) => isDefault);
  const offered = new Map<string, V>();
  for (const variant of [...(first === undefined ? [] : [first]), ...variants]) {
    const { language } = variant;
    if (language !== undefined && !offered.has(language)) offered.set(language, variant);
  }
  if (new Set([first, ...offered.values()]).size < 2) return [];
  if (first !== undefined) offered.set('x-default', first);
  return [...offered].map(([hreflang, variant]) => ({ hreflang, variant }));
}

/** A page of a space, as far as other spaces have the same one. */
export interface NamedPage {
  id: string;
  path: string;
}

/**
 * The page of another space that is the same one: that with the same id, as in translations and copies, or else that at
 * the same path. Pure.
 */
export function samePage<P extends NamedPage>(
  page: NamedPage,
  others: { byId: ReadonlyMap<string, P>; byPath: ReadonlyMap<string, P> },
): P | undefined {
  return others.byId.get(page.id) ?? others.byPath.get(page.path);
}
