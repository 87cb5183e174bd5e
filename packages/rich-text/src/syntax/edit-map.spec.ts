import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { EditMap } from 'micromark-util-edit-map';
import { type Event } from 'micromark-util-types';
import './linear.js';

const event = (type: 'data' | 'lineEnding'): Event => ['enter', { type }] as unknown as Event;

describe('the edits that the parser makes', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('leave what stands before the first of them where it is, from the first parse on', () => {
    const events = Array.from({ length: 6 }, () => event('data'));
    const moved = jest.spyOn(events, 'push');
    const map = new EditMap();
    map.add(3, 1, [event('lineEnding')]);
    map.add(4, 0, [event('lineEnding')]);
    map.consume(events);
    expect(events.map(([, { type }]) => type)).toEqual([
      'data',
      'data',
      'data',
      'lineEnding',
      'lineEnding',
      'data',
      'data',
    ]);
    expect(moved).toHaveBeenCalledTimes(4);
    expect(moved.mock.calls.map(([, ...more]) => more)).toEqual([[], [], [], []]);
  });

  it.each(['> * a\n>   b\n\nc', 'a *b* c'])(
    'are made by the map that was changed, not by one of another copy of the library: %j',
    (text) => {
      const consume = jest.spyOn(EditMap.prototype, 'consume');
      fromMarkdown(text);
      expect(consume).toHaveBeenCalled();
    },
  );
});
