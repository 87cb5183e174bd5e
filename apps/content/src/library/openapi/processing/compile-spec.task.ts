import {
  changesBetween,
  compile,
  externalReferences,
  openPack,
  toYaml,
  type CompiledSpecification,
  type SpecificationChange,
  type UnreadableText,
} from '@scriptorium/openapi';

interface Input {
  text: string;
  location: string | null;
  /** Documents that it refers to, by their URLs. */
  others: readonly (readonly [url: string, text: string])[];
}

/** Makes the forms of a specification. Pure, so that it can run in a worker. */
export function compileSpec({ text, location, others }: Input): Promise<CompiledSpecification | UnreadableText> {
  return compile(text, { others: new Map(others), ...(location !== null && { location }) });
}

/** The URLs of documents that a text refers to. */
export function findReferences({ text, location }: { text: string; location: string | null }): string[] {
  return externalReferences(text, location);
}

/** What differs between two versions, by their packs. */
export function compareSpecs({ before, after }: { before: Uint8Array; after: Uint8Array }): SpecificationChange[] {
  return changesBetween(openPack(before), openPack(after));
}

/** A document as YAML. */
export function writeYaml(document: Uint8Array): string {
  return toYaml(document);
}
