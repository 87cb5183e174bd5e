import type { LimitDeclaration } from '../kernel/limits.js';

/** What can grow in conversations. */
export const conversationLimits = {
  conversationsPerOrganization: { preset: 1_000_000, of: 'conversations of an organization', most: 10_000_000 },
} as const satisfies Readonly<Record<string, LimitDeclaration>>;
