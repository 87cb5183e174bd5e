import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { ErasureEvent } from './erasure.events.js';
import { begin, erasure, finish, refuse } from './erasure.js';

const began: ErasureEvent = { type: 'UserErasureBegan', data: {} };
const refused: ErasureEvent = { type: 'UserErasureRefused', data: {} };
const erased: ErasureEvent = { type: 'UserErased', data: { user: 'ann' } };

describe('the erasure of a person', () => {
  it('begins once, and again after it was refused', () => {
    given(erasure, []).when(begin).then([began]);
    given(erasure, [began]).when(begin).then([]);
    given(erasure, [began, refused]).when(begin).then([began]);
    given(erasure, [began, erased]).when(begin).then([]);
  });

  it('is refused while it is under way', () => {
    given(erasure, [began]).when(refuse).then([refused]);
    for (const history of [[], [began, refused], [began, erased]]) given(erasure, history).when(refuse).then([]);
  });

  it('ends once, unless it was refused', () => {
    given(erasure, [began]).when((state) => finish(state, { user: 'ann' })).then([erased]);
    given(erasure, [began, erased]).when((state) => finish(state, { user: 'ann' })).then([]);
    for (const history of [[], [began, refused]]) given(erasure, history).when((state) => finish(state, { user: 'ann' })).thenFails('conflict');
  });
});
