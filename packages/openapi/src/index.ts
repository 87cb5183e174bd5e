export {
  compile,
  specificationBounds,
  type CompiledSpecification,
  type CompileOptions,
  type Form,
  type UnreadableText,
} from './compile.js';
export { formVersion } from './form-version.js';
export { externalReferences } from './documents/external-references.js';
export { mostProblems, type Problem, type Problems } from './problems/problem.js';
export {
  readOutline,
  readSpecification,
  type Specification,
  type SpecificationTag,
  type TaggedOperation,
} from './reading/read-specification.js';
export { openPack, operationOf, schemasOf, webhookOf, type OperationSlice, type Pack } from './slices/pack.js';
export {
  hasPart,
  readDirectory,
  readSlice,
  slicesFor,
  type PackDirectory,
  type SpecificationPart,
} from './slices/pack-directory.js';
export type { Slice } from './slices/pack-format.js';
export { type Outline, type OutlineModel, type OutlineOperation, type OutlineTag } from './slices/outline.js';
export { toYaml } from './text/to-yaml.js';
export { UnreadableSpecification } from './text/unreadable.js';
export { changesBetween, type SpecificationChange } from './changes/changes-between.js';
export { exampleOf, type ExampleUse } from './shown/example.js';
export { toMarkdown } from './shown/markdown.js';
export { snippetsOf, type Snippet } from './shown/snippets.js';
