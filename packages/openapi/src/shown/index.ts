/** What those need who show operations that were cut out before. It loads nothing that compiles specifications. */
export { mappedRef, refOf } from '../documents/pointers.js';
export type { CompleteOperation } from '../slices/operations.js';
export type { OperationSlice } from '../slices/pack.js';
export { schemaKey } from '../slices/schema-key.js';
export { entriesOf, isMembers, lineOf, listOf, members, textOf, type Members } from '../text/values.js';
export { exampleOf, type ExampleUse } from './example.js';
export { xmlOf } from './sample-xml.js';
export { snippetsOf, type Snippet } from './snippets.js';
export { callbacksOf, externalExamplesOf, isOfWeb } from './named-parts.js';
export { mergedSchemas } from './merged-schemas.js';
export { sentencesOfBlocks, type ShownBlock } from './markdown-of-blocks.js';
