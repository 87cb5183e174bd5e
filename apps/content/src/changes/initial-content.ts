import type { TextChange } from '@scriptorium/contracts';

/** What a space begins with unless somebody says otherwise: one page without a text. */
export const onePage: readonly TextChange[] = [{ operation: 'insert_page', title: 'Page', document: { markdown: '' } }];
