import { type RecordView } from '../storage/record.js';
import { type EventStore } from '../storage/store.js';
import { type ProtoWriter } from '../wire/protobuf.js';
import { writeEventFrame, writeLinkFrame } from '../wire/read-frames.js';

const LINK_TYPE = '$>';

/** Writes the frame of a record; for a link event, when asked to resolve it, with the event that it names. */
export function writeResolved(out: ProtoWriter, record: RecordView, store: EventStore, resolveLinks: boolean): void {
  if (!resolveLinks || record.typeLength !== LINK_TYPE.length || record.type !== LINK_TYPE) {
    writeEventFrame(out, record);
    return;
  }
  const [revision, stream] = splitTarget(record.data.toString('utf8'));
  // The target is read into the buffer that holds the link: keep a copy of the link.
  const link = record.copy();
  const head = store.find(stream);
  const found =
    head !== undefined &&
    !head.tombstoned &&
    revision >= 0 &&
    store.visitOne(head, revision, (target) => {
      writeLinkFrame(out, link, target);
    });
  if (!found) writeLinkFrame(out, link, undefined);
}

/** `5@orders-1` names revision 5 of the stream `orders-1`. */
function splitTarget(data: string): [number, string] {
  const at = data.indexOf('@');
  const revision = Number(data.slice(0, at));
  return at > 0 && Number.isSafeInteger(revision) ? [revision, data.slice(at + 1)] : [-1, ''];
}
