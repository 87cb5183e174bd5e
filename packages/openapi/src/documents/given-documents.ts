import { BaseResolver, Source } from '@redocly/openapi-core';
import { parseText } from '../text/parse-text.js';

type Loaded = Awaited<ReturnType<BaseResolver['resolveDocument']>>;
type LoadedDocument = Exclude<Loaded, Error>;

/** Other documents that a specification refers to: texts by their URLs, without fragments. */
export type OtherDocuments = ReadonlyMap<string, string>;

/** Resolves references with the documents that it was given, and with nothing else: no network and no files. */
export class GivenDocuments extends BaseResolver {
  private readonly loaded = new Map<string, Promise<LoadedDocument>>();

  constructor(private readonly texts: OtherDocuments) {
    super();
  }

  override resolveExternalRef(base: string | null, ref: string): string {
    return absolute(ref, base) ?? ref;
  }

  override loadExternalRef(url: string): Promise<Source> {
    const text = this.texts.get(url);
    if (text === undefined) return Promise.reject(new Error('The document that it names was not loaded'));
    return Promise.resolve(new Source(url, text));
  }

  // The type parameter is that of the class above; what a document holds is checked by whoever reads it.
  override resolveDocument<T = unknown>(
    base: string | null,
    ref: string,
  ): ReturnType<BaseResolver['resolveDocument']> & Promise<{ source: Source; parsed: T }> {
    const url = this.resolveExternalRef(base, ref);
    const known = this.loaded.get(url) ?? this.load(url);
    this.loaded.set(url, known);
    return known as Promise<{ source: Source; parsed: T }>;
  }

  private async load(url: string): Promise<LoadedDocument> {
    const source = await this.loadExternalRef(url);
    return { source, parsed: parseText(source.body).value };
  }
}

/** The URL of a reference without its fragment; `null` when it is no URL of the web. */
export function absolute(ref: string, base: string | null): string | null {
  try {
    const url = base === null || !URL.canParse(base) ? new URL(ref) : new URL(ref, base);
    url.hash = '';
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}
