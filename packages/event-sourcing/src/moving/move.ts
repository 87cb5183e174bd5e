import { type PositionPlaces } from './moved-positions.js';

/** URLs of the servers that hold the data of an installation. */
export interface DataServers {
  readonly eventstore: string;
  readonly mongodb: string;
}

/** A move of an installation to other servers. Nobody else may write to either side. */
export interface Move {
  readonly from: DataServers;
  readonly to: DataServers;
  readonly namespace: string;
  /** The id of the first event, which no other installation has: `firstEventId`. */
  readonly first: string;
  readonly places: PositionPlaces;
}
