import { type ProposedEvent } from '../storage/record.js';
import { type Shared, type Streams } from '../wire/definitions.js';
import { accessDenied, invalidArgument, maximumAppendSize, requiredMetadataMissing } from '../wire/status.js';
import { parseUuid, uuidFromHalves } from '../wire/uuid.js';

const LONGEST_NAME = 60_000;

type Message = Streams.AppendReq.ProposedMessage | Streams.BatchAppendReq.ProposedMessage;

/** The events of one append as they arrive, refused as soon as they are too large together. */
export class ProposedEvents {
  readonly events: ProposedEvent[] = [];
  /** bytes of types, data and metadata so far */
  size = 0;

  constructor(private readonly limit: number) {}

  /** @throws RpcError */
  add(message: Message): void {
    const event = toEvent(message);
    this.size += Buffer.byteLength(event.type) + event.data.length + event.metadata.length;
    if (this.size > this.limit) throw maximumAppendSize(this.limit);
    this.events.push(event);
  }
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
