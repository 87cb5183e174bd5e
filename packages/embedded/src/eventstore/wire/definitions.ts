import { createRequire } from 'node:module';
import type * as Features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type * as Gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type * as Shared from '@eventstore/db-client/generated/shared_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';

// The official client ships the protocol's generated definitions as CommonJS without an exports map.
const load = createRequire(import.meta.url);

export const streams = load('@eventstore/db-client/generated/streams_pb.js') as typeof Streams;
export const shared = load('@eventstore/db-client/generated/shared_pb.js') as typeof Shared;
export const features = load('@eventstore/db-client/generated/serverfeatures_pb.js') as typeof Features;
export const gossip = load('@eventstore/db-client/generated/gossip_pb.js') as typeof Gossip;

export type { Features, Gossip, Shared, Streams };
