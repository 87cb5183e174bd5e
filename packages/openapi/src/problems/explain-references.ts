import type { NormalizedProblem } from '@redocly/openapi-core';
import { absolute, type OtherDocuments } from '../documents/given-documents.js';
import { at, mappedRef, partsOf, pointerOf, refOf } from '../documents/pointers.js';
import { parseText } from '../text/parse-text.js';
import { isMembers } from '../text/values.js';

interface Input {
  value: unknown;
  location: string | null;
  others: OtherDocuments;
}

/**
 * Problems of references with what is missing and where, each once. The mapping of a discriminator may name a schema
 * instead of referring to it, which the rule does not know.
 */
export function explained(found: readonly NormalizedProblem[], input: Input): NormalizedProblem[] {
  const documents = new Documents(input);
  const told = new Set<string>();
  return found.flatMap((one) => {
    const place = one.location[0];
    const parts = one.ruleId === 'no-unresolved-refs' ? partsOf(`#${(place?.pointer ?? '').replace(/^#/, '')}`) : null;
    if (parts === null) return [one];
    const node = at(input.value, parts);
    const ref = typeof node === 'string' ? mappedRef(node) : refOf(node);
    const missing = ref === null ? null : documents.missing(ref);
    if (typeof node === 'string' && missing === null) return [];
    const message = missing === null ? one.message : `Can't resolve $ref: ${missing}`;
    const key = JSON.stringify([parts, message]);
    if (told.has(key)) return [];
    told.add(key);
    return [{ ...one, message }];
  });
}

/** References that are followed for one. */
const mostHops = 50;

interface Place {
  /** The document that it is in; `null` for the specification itself. */
  url: string | null;
  /** How the reference to the document was written, without what may be secret. */
  name: string;
}

/** The documents that references lead to. */
class Documents {
  private readonly read = new Map<string, unknown>();

  constructor(private readonly input: Input) {}

  /** What a reference of the specification leads to and is not there; `null` when nothing is missing. */
  missing(start: string): string | null {
    let place: Place = { url: null, name: 'this document' };
    let ref = start;
    let rest: string[] = [];
    for (let hops = 0; hops < mostHops; hops += 1) {
      const next = this.placeOf(ref, place);
      const root = next === null ? undefined : this.documentAt(next);
      const parts = partsOf(fragmentOf(ref) === '' ? '#' : `#${fragmentOf(ref)}`);
      if (next === null || root === undefined || parts === null)
        return hops === 0 ? null : `${shown(ref)} was not loaded`;
      const way = [...parts, ...rest];
      const end = walk(root, way);
      if (end.ref === null) return end.isThere ? null : `${next.name} has no ${pointerOf(way)}`;
      [place, ref, rest] = [next, end.ref, end.rest];
    }
    return null;
  }

  private placeOf(ref: string, from: Place): Place | null {
    if (ref.startsWith('#')) return from;
    const base = from.url ?? this.input.location;
    const url = absolute(ref, base);
    if (url === null) return null;
    return url === this.input.location ? { url: null, name: 'this document' } : { url, name: shown(ref) };
  }

  private documentAt({ url }: Place): unknown {
    if (url === null) return this.input.value;
    if (!this.read.has(url)) this.read.set(url, this.parsed(url));
    return this.read.get(url);
  }

  private parsed(url: string): unknown {
    const text = this.input.others.get(url);
    if (text === undefined) return undefined;
    try {
      return parseText(text).value;
    } catch {
      return undefined;
    }
  }
}

/** Goes a way until its end, or to a reference that stands in it. */
function walk(root: unknown, way: readonly string[]): { isThere: boolean; ref: string | null; rest: string[] } {
  let node = root;
  for (const [index, part] of way.entries()) {
    const next = at(node, [part]);
    if (next === undefined) return { isThere: false, ref: refOf(node), rest: way.slice(index) };
    node = next;
  }
  const ref = isMembers(node) ? refOf(node) : null;
  return { isThere: true, ref, rest: [] };
}

function fragmentOf(ref: string): string {
  const hash = ref.indexOf('#');
  return hash === -1 ? '' : ref.slice(hash + 1);
}

/** A reference to a document without its fragment, and without query or password, which may be secret. */
function shown(ref: string): string {
  const plain = ref.replace(/[?#].*$/s, '');
  return plain.replace(/^(\w+:\/\/)[^/@]*@/, '$1');
}
