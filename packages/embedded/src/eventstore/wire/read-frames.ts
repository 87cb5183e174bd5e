import { FLAG_JSON, FLAG_TOMBSTONE, type RecordView } from '../storage/record.js';
import { field, fieldSize, frame, numberField, type ProtoWriter, varintSize } from './protobuf.js';
import { uuidText } from './uuid.js';

const JSON_TYPE = Buffer.from('application/json', 'latin1');
const BINARY_TYPE = Buffer.from('application/octet-stream', 'latin1');
const CREATED_KEY = Buffer.from('created', 'latin1');
const TYPE_KEY = Buffer.from('type', 'latin1');
const CONTENT_TYPE_KEY = Buffer.from('content-type', 'latin1');
/** 2^63 - 1 as a varint: the revision of `$streamDeleted`. */
const HIGHEST_REVISION = Buffer.from('ffffffffffffffff7f', 'hex');
const ID_SIZE = 38;

/** Appends the `RecordedEvent` of a record, as field `tag`, and returns nothing: sizes come from `recordedSize`. */
function writeRecorded(out: ProtoWriter, tag: number, record: RecordView, size: number): void {
  const { buffer, position, streamLength, typeLength, dataLength, metadataLength, flags } = record;
  out.head(tag, size);
  out.head(0x0a, ID_SIZE);
  out.head(0x12, 36);
  out.latin1(uuidText(buffer, record.idAt));
  out.head(0x12, fieldSize(streamLength));
  out.slice(0x1a, buffer, record.streamAt, streamLength);
  out.byte(0x18);
  if ((flags & FLAG_TOMBSTONE) === 0) out.varint(record.revision);
  else out.raw(HIGHEST_REVISION);
  out.number(0x20, position);
  out.number(0x28, position);
  writeTicks(out, record.created);
  out.head(0x32, fieldSize(TYPE_KEY.length) + fieldSize(typeLength));
  out.field(0x0a, TYPE_KEY);
  out.slice(0x12, buffer, record.typeAt, typeLength);
  const contentType = (flags & FLAG_JSON) === 0 ? BINARY_TYPE : JSON_TYPE;
  out.head(0x32, fieldSize(CONTENT_TYPE_KEY.length) + fieldSize(contentType.length));
  out.field(0x0a, CONTENT_TYPE_KEY);
  out.field(0x12, contentType);
  if (metadataLength > 0) out.slice(0x3a, buffer, record.metadataAt, metadataLength);
  out.slice(0x42, buffer, record.dataAt, dataLength);
}

/** `created` in 100 ns ticks since 1970, as decimal text. */
function writeTicks(out: ProtoWriter, created: number): void {
  const ticks = `${String(created)}0000`;
  out.head(0x32, fieldSize(CREATED_KEY.length) + fieldSize(ticks.length));
  out.field(0x0a, CREATED_KEY);
  out.head(0x12, ticks.length);
  out.latin1(ticks);
}

function recordedSize(record: RecordView): number {
  const { streamLength, typeLength, metadataLength, flags } = record;
  const ticks = String(record.created).length + 4;
  const contentType = (flags & FLAG_JSON) === 0 ? BINARY_TYPE.length : JSON_TYPE.length;
  return (
    fieldSize(ID_SIZE) +
    fieldSize(fieldSize(streamLength)) +
    (1 + ((flags & FLAG_TOMBSTONE) === 0 ? varintSize(record.revision) : HIGHEST_REVISION.length)) +
    2 * (1 + varintSize(record.position)) +
    fieldSize(fieldSize(CREATED_KEY.length) + fieldSize(ticks)) +
    fieldSize(fieldSize(TYPE_KEY.length) + fieldSize(typeLength)) +
    fieldSize(fieldSize(CONTENT_TYPE_KEY.length) + fieldSize(contentType)) +
    (metadataLength > 0 ? fieldSize(metadataLength) : 0) +
    fieldSize(record.dataLength)
  );
}

/** Appends a whole gRPC frame holding `ReadResp { event { event } }` for a record. */
export function writeEventFrame(out: ProtoWriter, record: RecordView): void {
  const inner = recordedSize(record);
  writeFrameHead(out, fieldSize(inner), record.position);
  writeRecorded(out, 0x0a, record, inner);
  out.number(0x18, record.position);
}

/** Same for a link; `target` is the event it names, undefined when that is gone. */
export function writeLinkFrame(out: ProtoWriter, link: RecordView, target: RecordView | undefined): void {
  const linkSize = recordedSize(link);
  const targetSize = target === undefined ? 0 : recordedSize(target);
  writeFrameHead(out, fieldSize(linkSize) + (target === undefined ? 0 : fieldSize(targetSize)), link.position);
  if (target !== undefined) writeRecorded(out, 0x0a, target, targetSize);
  writeRecorded(out, 0x12, link, linkSize);
  out.number(0x18, link.position);
}

function writeFrameHead(out: ProtoWriter, events: number, position: number): void {
  const size = events + 1 + varintSize(position);
  out.reserve(5 + fieldSize(size));
  out.byte(0);
  out.uint32be(fieldSize(size));
  out.head(0x0a, size);
}

export function confirmationFrame(subscriptionId: string): Buffer {
  return frame(field(0x12, field(0x0a, Buffer.from(subscriptionId))));
}

export function checkpointFrame(position: number): Buffer {
  return frame(field(0x1a, Buffer.concat([numberField(0x08, position), numberField(0x10, position)])));
}

export function streamNotFoundFrame(stream: string): Buffer {
  return frame(field(0x22, field(0x0a, field(0x1a, Buffer.from(stream, 'utf8')))));
}

export const CAUGHT_UP_FRAME = frame(field(0x42, Buffer.alloc(0)));
export const FELL_BEHIND_FRAME = frame(field(0x4a, Buffer.alloc(0)));
