import { type ProposedEvent } from '../storage/record.js';
import { type Shared, type Streams } from '../wire/definitions.js';
import {
  accessDenied,
  invalidArgument,
  maximumAppendEventSize,
  maximumAppendSize,
  requiredMetadataMissing,
} from '../wire/status.js';
import { type AppendLimits } from './context.js';
import { parseUuid, uuidFromHalves, uuidText } from '../wire/uuid.js';

const LONGEST_NAME = 60_000;

type Message = Streams.AppendReq.ProposedMessage | Streams.BatchAppendReq.ProposedMessage;

/** The events of one append as they arrive, refused as soon as they are too large together, or one of them is. */
export class ProposedEvents {
  readonly events: ProposedEvent[] = [];
  /** sizes of all events so far, as a real node counts them */
  size = 0;

  constructor(private readonly limits: AppendLimits) {}

  /** @throws RpcError */
  add(message: Message): void {
    const event = toEvent(message);
    const size = sizeOf(event);
    const { maxAppendSize, maxAppendEventSize } = this.limits;
    if (size > maxAppendEventSize) throw maximumAppendEventSize(uuidText(event.id, 0), size, maxAppendEventSize);
    this.size += size;
    if (this.size > maxAppendSize) throw maximumAppendSize(maxAppendSize);
    this.events.push(event);
  }
}

/** A real node counts the characters of the type twice, and the bytes of the rest once. */
function sizeOf({ type, data, metadata }: ProposedEvent): number {
  return type.length * 2 + data.length + metadata.length;
}

function toEvent(message: Message): ProposedEvent {
  const properties = message.getMetadataMap();
  const type = properties.get('type');
  const contentType = properties.get('content-type');
  if (type === undefined || contentType === undefined) throw requiredMetadataMissing();
  if (Buffer.byteLength(type) > LONGEST_NAME) throw invalidArgument('The event type is too long.');
  const id = toId(message.getId());
  return {
    id,
    type,
    json: contentType === 'application/json',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

function toId(uuid: Shared.UUID | undefined): Buffer {
  const halves = uuid?.getStructured();
  if (halves !== undefined) return uuidFromHalves(halves.getMostSignificantBits(), halves.getLeastSignificantBits());
  const id = parseUuid(uuid?.getString() ?? '');
  if (id === undefined) throw invalidArgument('An event id is not a UUID.');
  return id;
}

/** @throws RpcError for a name that no stream to be written can have */
export function streamName(identifier: Shared.StreamIdentifier | undefined): string {
  const bytes = identifier?.getStreamName_asU8() ?? new Uint8Array();
  const name = Buffer.from(bytes).toString('utf8');
  if (name === '' || name === '$$') throw invalidArgument('The stream name is empty.');
  if (name === '$all' || name === '$$$all') throw accessDenied();
  if (bytes.length > LONGEST_NAME) throw invalidArgument('The stream name is too long.');
  return name;
}
