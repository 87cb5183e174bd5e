export { readFormPart, type FormPart, type StoredForm } from './spec-forms.operational.js';
export { findSpecHead, type SpecHead } from './spec-heads.queries.js';
