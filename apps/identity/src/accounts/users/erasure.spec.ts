import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { ErasureEvent } from '../../events/erasure.events.js';
import { beginErasure, erasure, finishErasure, refuseErasure } from './erasure.js';

const began: ErasureEvent = { type: 'UserErasureBegan', data: {} };
const refused: ErasureEvent = { type: 'UserErasureRefused', data: {} };
const erased: ErasureEvent = { type: 'UserErased', data: { user: 'ann' } };

describe('the erasure of a person', () => {
  it('begins once, and can begin again after it was refused', () => {
    given(erasure, []).when(beginErasure).then([began]);
    given(erasure, [began]).when(beginErasure).then([]);
    given(erasure, [began, refused]).when(beginErasure).then([began]);
    given(erasure, [began, erased]).when(beginErasure).then([]);
  });

  it('can be refused only while it is under way', () => {
    given(erasure, [began]).when(refuseErasure).then([refused]);
    for (const history of [[], [began, refused], [began, erased]]) given(erasure, history).when(refuseErasure).then([]);
  });

  it('finishes once, and fails when it never began or was refused', () => {
    given(erasure, [began])
      .when((state) => finishErasure(state, { user: 'ann' }))
      .then([erased]);
    given(erasure, [began, erased])
      .when((state) => finishErasure(state, { user: 'ann' }))
      .then([]);
    for (const history of [[], [began, refused]])
      given(erasure, history)
        .when((state) => finishErasure(state, { user: 'ann' }))
        .thenFails('conflict');
  });
});
