import { EditMap } from 'micromark-util-edit-map';
import { type Event } from 'micromark-util-types';

/**
 * The edits of the map, made in the events. What stands before the first edit stays where it is: the parser edits the
 * end of all events of a text whenever a list or a quote ends, and its own edit moves all of them, which takes seconds
 * for a long list of changes.
 */
function consume(this: EditMap, events: Event[]): undefined {
  const edits = this.map.toSorted(([a], [b]) => a - b);
  const [first] = edits;
  if (!first) return;
  const rest = events.splice(first[0]);
  let done = 0;
  for (const [at, removed, added] of edits) {
    for (const event of rest.slice(done, at - first[0])) events.push(event);
    for (const event of added) events.push(event);
    done = at - first[0] + removed;
  }
  for (const event of rest.slice(done)) events.push(event);
  this.map.length = 0;
  this.index.clear();
}

// The parser makes its own maps, so there is no other place where the edit can be exchanged for one with the same
// outcome (docs/adr/0022).
EditMap.prototype.consume = consume;
