export { markedBlocks, withConflicts, withMarkersOf, withoutConflicts } from './compare/conflict-markers.js';
export { type MergeConflict } from './compare/conflict.js';
export { diff, type Change } from './compare/diff.js';
export { type PartChanges, type TableChanges } from './compare/diff-table.js';
export { merge, type MergeResult } from './compare/merge.js';
export { longestIncreasing, mergeOrder } from './compare/order.js';
export { rematch } from './compare/rematch.js';
export { type WordChange } from './compare/words.js';
export { includesOf, type Dialect } from './dialects/read-dialect.js';
export { dereference, type DereferenceOptions, type Resolved } from './evaluate/dereference.js';
export { evaluate, type Compiled, type EvaluateOptions, type Scope, type VisitorType } from './evaluate/evaluate.js';
export { forClients, fromClients } from './model/client-form.js';
export { RichTextError, type RichTextReason } from './model/errors.js';
export { hash } from './model/hash.js';
export { DEFAULT_LIMITS, type Limits } from './model/limits.js';
export {
  formatLinkByDefault,
  isSafeUrl,
  resolveLinkByDefault,
  type FormatLink,
  type FormattedLink,
  type ResolveLink,
  type TargetUse,
} from './model/refs.js';
export { replaceBlocks } from './model/replace-blocks.js';
export { documentSchema } from './model/schema.js';
export * from './model/types.js';
export { validate } from './model/validate.js';
export { type IntegrationCode } from './parse/context.js';
export { type FrontMatter } from './parse/front-matter.js';
export { parseMarkdown, type ParsedMarkdown, type ParseOptions } from './parse/parse.js';
export { withApiBlocksWritten } from './parse/parsed-blocks.js';
export { checkSegment, isOverlong, type CheckOptions, type SegmentProblem } from './segments/check-segment.js';
export { contextOf } from './segments/context-of.js';
export { holdTerms, termsIn, type GlossaryTerm, type HeldTerms } from './segments/glossary.js';
export { withPinnedAnchors } from './segments/pin-anchors.js';
export { pseudoTranslated } from './segments/pseudo.js';
export { segmentsOf, withSegments, type Segment } from './segments/segments.js';
export { anchorFinder, anchors, derivedIds, foreignAnchors, resolveAnchor } from './text/anchors.js';
export { apiBlocks, isApiBlock } from './text/api-blocks.js';
export { excerpt } from './text/excerpt.js';
export { integrationBlocks, integrationCard, type IntegrationCard } from './text/integration-blocks.js';
export { links, type FoundLink } from './text/links.js';
export { anchorOf, outline, searchSections, type Heading, type Section } from './text/outline.js';
export { toPlainText } from './text/plain-text.js';
export { withoutScripts } from './text/without-scripts.js';
export { toMarkdown, type WriteOptions } from './write/write.js';
export { withIntegrationsWritten } from './write/written-integrations.js';
