import { keyedDrop, keyedGet, keyedPut } from '@scriptorium/event-sourcing';
import type { LibraryEvent } from './library.events.js';
import { dropNode, newNode, putNode, within, type Library } from './library-state.js';

const types = [
  'TransferBegan',
  'TransferEntered',
  'TransferRefused',
  'TransferSettled',
  'SpaceLeft',
  'CollectionLeft',
  'TransferAbandoned',
] as const;
type TransferEvent = Extract<LibraryEvent, { type: (typeof types)[number] }>;

export function isOfTransfer(event: LibraryEvent): event is TransferEvent {
  return (types as readonly string[]).includes(event.type);
}

/** What an event of a transfer makes of the library of either organization. */
export function afterTransfer(state: Library, event: TransferEvent): Library {
  const { transfer } = event.data;
  switch (event.type) {
    case 'TransferBegan': {
      const { node, to, parent } = event.data;
      return { ...state, departures: keyedPut(state.departures, transfer, { node, to, parent }) };
    }
    case 'TransferEntered':
      return entered(state, event.data);
    case 'TransferRefused':
      return { ...state, arrivals: keyedPut(state.arrivals, transfer, { status: 'refused' }) };
    case 'TransferSettled':
      return { ...state, arrivals: keyedPut(state.arrivals, transfer, { status: 'settled' }) };
    case 'SpaceLeft':
    case 'CollectionLeft':
      return gone(state, transfer);
    case 'TransferAbandoned':
      return { ...state, departures: keyedDrop(state.departures, transfer) };
  }
}

function entered(
  state: Library,
  { transfer, from, nodes }: Extract<TransferEvent, { type: 'TransferEntered' }>['data'],
) {
  const arrival = { status: 'entered' as const, from, nodes: nodes.map(({ id, kind }) => ({ id, kind })) };
  const begun = { ...state, arrivals: keyedPut(state.arrivals, transfer, arrival) };
  return nodes.reduce((next, { id, kind, ...node }) => {
    const added = putNode(next, id, { ...newNode(kind), ...node });
    return { ...added, left: keyedDrop(added.left, id) };
  }, begun);
}

function gone(state: Library, transfer: string): Library {
  const departure = keyedGet(state.departures, transfer);
  if (departure === undefined) return state;
  const { node, to } = departure;
  const ended = { ...state, departures: keyedDrop(state.departures, transfer) };
  return [node, ...within(state, node).map(({ id }) => id)].reduce((next, id) => {
    const without = dropNode(next, id);
    return { ...without, left: keyedPut(without.left, id, to) };
  }, ended);
}
