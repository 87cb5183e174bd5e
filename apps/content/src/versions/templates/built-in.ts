import { apiDocs } from './api-docs.js';
import { blank } from './blank.js';
import { changelog } from './changelog.js';
import { helpCenter } from './help-center.js';
import { productDocs } from './product-docs.js';
import type { BuiltInTemplate } from './template.js';

/** The templates that every installation has. */
export const builtInTemplates: readonly BuiltInTemplate[] = [apiDocs, blank, changelog, helpCenter, productDocs];
