import { blaming, type RenderRequest } from '@scriptorium/contracts';
import type { StoredIntegration } from '../publishing/index.js';

/** The action with which a block opens that was made of an address. */
const unfurlAction = '@link.unfurl';

/**
 * Refuses what a page does not need to show a block: visitors are anonymous, and scripts have the tokens of the
 * installation. So they have blocks rendered as they open, and neither other components nor other actions. Pure.
 * @throws AppError `not_found` for what is no block of the integration, `forbidden` that names the field otherwise
 */
export function requireOpening(
  { blocks }: Pick<StoredIntegration, 'blocks'>,
  { componentId, state, action }: Pick<RenderRequest, 'componentId' | 'state' | 'action'>,
  field: (name: string) => string,
): void {
  if (!blocks.some(({ id }) => id === componentId))
    throw blaming('not_found', field('componentId'), 'The integration has no such block');
  if (state !== undefined)
    throw blaming('forbidden', field('state'), 'Visitors have a block rendered in its first state');
  if (action !== undefined && !isOpening(action))
    throw blaming('forbidden', field('action'), `Of the actions of a block visitors may use ${unfurlAction} alone`);
}

function isOpening({ action, url, ...more }: NonNullable<RenderRequest['action']>): boolean {
  return action === unfurlAction && typeof url === 'string' && Object.keys(more).length === 0;
}
