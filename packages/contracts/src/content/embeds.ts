import type { Embeds } from '../embed.js';
import { lookupSpaces } from './internal.js';

/** Resources of content that answers of other services embed. */
export const contentEmbeds = { space: lookupSpaces } as const satisfies Embeds;
