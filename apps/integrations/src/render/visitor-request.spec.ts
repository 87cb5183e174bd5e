import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { requireOpening } from './visitor-request.js';

describe('what a visitor has rendered', () => {
  const integration = { blocks: [{ id: 'card', title: 'Card' }] };
  const refusal = (more: object) => {
    try {
      requireOpening(integration, { componentId: 'card', ...more }, (name) => `body.${name}`);
      return null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [error.reason, error.details[0]?.path];
    }
  };

  it('is a block as it opens, or as an address was put into it', () => {
    expect(refusal({})).toBeNull();
    expect(refusal({ action: { action: '@link.unfurl', url: 'https://a.example' } })).toBeNull();
  });

  it('is no component besides, no state and no other action', () => {
    expect(refusal({ componentId: 'settings' })).toEqual(['not_found', 'body.componentId']);
    expect(refusal({ state: {} })).toEqual(['forbidden', 'body.state']);
    for (const action of [
      { action: 'delete_all' },
      { action: '@link.unfurl' },
      { action: '@link.unfurl', url: 1 },
      { action: '@link.unfurl', url: 'https://a.example', more: 1 },
    ])
      expect(refusal({ action })).toEqual(['forbidden', 'body.action']);
  });
});
