import type { answerSCIM } from '@scriptorium/contracts';
import type * as z from 'zod';

/** A request about users or groups. `id`: of one of them, if the path names one. */
export type ResourceRequest = Pick<z.output<(typeof answerSCIM)['input']>, 'method' | 'query' | 'body'> & {
  id: string | undefined;
};

/** The organization, and the URL below which its resources are. */
export interface SCIMPlace {
  organization: string;
  base: string;
}
