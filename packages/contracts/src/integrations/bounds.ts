/**
 * Bounds of what is published and configured. They are part of the contract and the same in every installation. What is
 * beyond them gets 400, or 413 where the bytes of one field are too many.
 */
export const integrationBounds = {
  /** Characters of a name. */
  name: 100,
  /** Bytes of a script. */
  scriptBytes: 4 * 1024 * 1024,
  /** Bytes of an icon. */
  iconBytes: 250 * 1024,
  /** Bytes of a preview. */
  previewBytes: 1024 * 1024,
  previews: 3,
  blocks: 20,
  contentSources: 20,
  externalLinks: 5,
  /** Characters of the summary. */
  summary: 32 * 1024,
  secrets: 64,
  /** Bytes of a secret. */
  secretBytes: 8 * 1024,
  /** Properties of a configuration. */
  properties: 50,
  /** Bytes of a configuration as JSON. */
  configurationBytes: 64 * 1024,
  externalIds: 5,
  /** Characters of an external id. */
  externalId: 256,
  /** Characters of a content security policy. */
  policy: 4 * 1024,
  /** Bytes of a request to render, and of what a component answers. */
  renderBytes: 256 * 1024,
  /** Bytes of what a script answers that computes pages or a document. */
  computedBytes: 2 * 1024 * 1024,
  /** Characters of a compressed request to render in an address. */
  renderQuery: 8 * 1024,
  /** What an integration proposes for a property. */
  completions: 200,
  /** Bytes of a task as JSON. */
  taskBytes: 16 * 1024,
  /** Tasks of an integration that have not ended. */
  tasks: 1_000,
  taskDelaySeconds: 86_400,
} as const;
