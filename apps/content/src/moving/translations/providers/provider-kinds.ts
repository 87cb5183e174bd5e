/** Kinds of providers. Without imports, as settings are read before anything else. */
export const providerKinds = ['chat', 'libretranslate', 'deepl', 'apertium', 'copy', 'pseudo'] as const;
