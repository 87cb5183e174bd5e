export { type Claims, filterClaims, joinClaims } from './adaptive/filter-claims.js';
export {
  contextKey,
  enumerateContexts,
  MAX_CONTEXTS,
  VISITOR_TYPES,
  type VisitorContext,
  type VisitorType,
} from './adaptive/contexts.js';
export { type JsonSchemaObject, type JsonSchemaProperty, toJsonSchema } from './adaptive/json-schema.js';
export { parseAdaptiveSchema, type SchemaResult } from './adaptive/parse-schema.js';
export { previewClaims } from './adaptive/preview-claims.js';
export { type Issue } from './adaptive/report.js';
export {
  type AdaptiveSchema,
  type ArrayProperty,
  type BooleanProperty,
  isDeterministic,
  type ItemProperty,
  type NumberProperty,
  type ObjectProperty,
  type Property,
  SCHEMA_LIMITS,
  type StringProperty,
} from './adaptive/schema.js';
export { MAX_TEMPLATE_CONDITIONS, type TemplateCondition, templateConditions } from './adaptive/template-conditions.js';
export {
  type CompileOptions,
  type Expression,
  MERGE_RULE_VARIABLES,
  type Outcome,
  VISITOR_VARIABLES,
} from './compile.js';
export { compile, compileCondition, type Compiler, type CompilerOptions, createCompiler } from './compiler.js';
export {
  ExpressionError,
  type ExpressionErrorCode,
  type Fault,
  type FaultCode,
  type Problem,
  type Range,
} from './error.js';
export { LIMITS } from './limits.js';
export { type Reference } from './references.js';
export { type Scope, type Value } from './value.js';
