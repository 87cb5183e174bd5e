import { bundleDocument, createConfig, detectSpec, getTypes, Source } from '@redocly/openapi-core';
import { GivenDocuments, type OtherDocuments } from './given-documents.js';

/**
 * One document out of several: what references to others name comes into the components. A reference to a document
 * that was not given stays as it is. The value is changed.
 */
export async function bundle(value: unknown, location: string | null, others: OtherDocuments): Promise<unknown> {
  if (others.size === 0) return value;
  const source = new Source(location ?? 'specification', '');
  const { bundle: whole } = await bundleDocument({
    document: { source, parsed: value },
    config: await createConfig({}),
    types: getTypes(detectSpec(value)),
    externalRefResolver: new GivenDocuments(others),
  });
  return whole.parsed;
}
