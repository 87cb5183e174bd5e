import { type IntegrationScope } from '../kernel/integration-scopes.js';

export { integrationScopes, type IntegrationScope } from '../kernel/integration-scopes.js';

/** Scopes that may be published, and allow nothing in this version of the product. */
export const unavailableIntegrationScopes: ReadonlySet<IntegrationScope> = new Set(['space:git:sync']);

export const integrationCategories = [
  'analytics',
  'collaboration',
  'content',
  'gitsync',
  'marketing',
  'visitor-auth',
  'other',
] as const;

export const integrationTargets = ['all', 'site', 'space', 'organization'] as const;
export type IntegrationTarget = (typeof integrationTargets)[number];
export const integrationVisibilities = ['public', 'private', 'unlisted'] as const;
export type IntegrationVisibility = (typeof integrationVisibilities)[number];
export const installationStatuses = ['active', 'pending', 'paused'] as const;
export type InstallationStatus = (typeof installationStatuses)[number];
/** Why nothing is delivered to an installation any more, until somebody resumes it. */
export const pauseReasons = ['failures', 'queue_full', 'operator'] as const;
export type PauseReason = (typeof pauseReasons)[number];
/** Why a development mode has ended: somebody did, its time was over, or its address gave no answers. */
export const devModeEndings = ['ended', 'expired', 'failures'] as const;
export type DevModeEnding = (typeof devModeEndings)[number];
export const installationSelections = ['all', 'selected'] as const;
export type InstallationSelection = (typeof installationSelections)[number];

/** The types of calls with which scripts compute content: the pages of a source, and the document of one of them. */
export const computeCallTypes = ['content_compute_revision', 'content_compute_document'] as const;
export type ComputeCallType = (typeof computeCallTypes)[number];

/** The directives of a content security policy. */
export const policyDirectives = [
  'base-uri',
  'block-all-mixed-content',
  'child-src',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'navigate-to',
  'object-src',
  'plugin-types',
  'prefetch-src',
  'referrer',
  'report-to',
  'report-uri',
  'require-sri-for',
  'require-trusted-types-for',
  'sandbox',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'trusted-types',
  'upgrade-insecure-requests',
  'worker-src',
] as const;
