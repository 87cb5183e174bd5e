import { describe, expect, it } from '@jest/globals';
import { noReactions, reactionsChanged, withReaction, withoutReaction, withoutReply } from './reactions.js';

const party = { reply: null, emoji: '1f389' };
const onReply = { reply: 'r', emoji: '1f389' };

describe('reactions', () => {
  it('are each emoji of each person once', () => {
    const once = withReaction(noReactions, party, 'ann');
    expect(withReaction(once, party, 'ann')).toBe(once);
    expect(withReaction(once, party, 'bob').count).toBe(2);
    expect(withReaction(once, onReply, 'ann').count).toBe(2);
    expect(withoutReaction(once, party, 'bob')).toBe(once);
    expect(withoutReaction(once, party, 'ann').count).toBe(0);
    const again = withReaction(withoutReaction(once, party, 'ann'), party, 'ann');
    expect(again.count).toBe(1);
  });

  it('are removed with the reply that they are on', () => {
    const all = withReaction(withReaction(withReaction(noReactions, party, 'ann'), onReply, 'ann'), onReply, 'bob');
    expect(withoutReply(all, 'r').count).toBe(1);
    expect(withoutReaction(withoutReply(all, 'r'), onReply, 'bob').count).toBe(1);
  });

  it('change only where they differ, and a removal wins over an addition', () => {
    const present = withReaction(noReactions, party, 'ann');
    const changed = (added: string[], removed: string[], user = 'ann') =>
      reactionsChanged(present, { reply: null, user }, { addedReactions: added, removedReactions: removed });
    expect(changed(['🎉', '👍', '1F44D'], [])).toEqual({ added: ['1f44d'], removed: [] });
    expect(changed(['🎉', '👍'], ['1f389', '👍'])).toEqual({ added: [], removed: ['1f389'] });
    expect(changed(['🎉'], ['❤'], 'bob')).toEqual({ added: ['1f389'], removed: [] });
  });
});
