import { defineDomain } from '@scriptorium/platform';
import { AllContentController } from './all-content.controller.js';

/** The collections and spaces of an organization in one list. */
export const allContent = defineDomain({ name: 'all_content', controllers: [AllContentController] });
