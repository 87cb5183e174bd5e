import { randomUUID } from 'node:crypto';
import { type Call } from '../wire/call.js';
import { features, gossip, shared } from '../wire/definitions.js';
import { frame } from '../wire/protobuf.js';

/** The release whose answers this server gives. */
const SERVER_VERSION = '24.10.0';
const STREAMS = 'event_store.client.streams.streams';
const METHODS = ['read', 'append', 'batchappend', 'delete', 'tombstone'] as const;
const READ_FEATURES = ['position', 'events'];
const PERSISTENT = 'event_store.client.persistent_subscriptions.persistentsubscriptions';
const PROJECTIONS = 'event_store.client.projections.projections';
/**
 * Announced as every node of this release does, and refused: without, the client would try an HTTP API that is not
 * here.
 */
const PERSISTENT_METHODS = [
  'create',
  'update',
  'delete',
  'read',
  'getinfo',
  'replayparked',
  'list',
  'restartsubsystem',
] as const;

/**
 * `ServerFeatures/GetSupportedMethods`: announces batch appends, without which the official client is three times
 * slower.
 */
export function supportedMethods(call: Call): void {
  const response = new features.SupportedMethods();
  response.setEventStoreServerVersion(SERVER_VERSION);
  const add = (service: string, method: string, list: string[]): void => {
    const entry = new features.SupportedMethod();
    entry.setServiceName(service).setMethodName(method).setFeaturesList(list);
    response.addMethods(entry);
  };
  for (const method of METHODS) add(STREAMS, method, method === 'read' ? READ_FEATURES : []);
  for (const method of PERSISTENT_METHODS) add(PERSISTENT, method, ['stream', 'all']);
  add(PROJECTIONS, 'create', ['track_emitted_streams']);
  add('event_store.client.gossip.gossip', 'read', []);
  add('event_store.client.server_features.serverfeatures', 'getsupportedmethods', []);
  reply(call, response);
}

/** `Gossip/Read`: a cluster of one, which is the leader. */
export function gossipReader(instanceId: string, address: () => { host: string; port: number }): (call: Call) => void {
  return (call) => {
    const { host, port } = address();
    const member = new gossip.MemberInfo();
    const id = new shared.UUID();
    id.setString(instanceId);
    const endpoint = new gossip.EndPoint();
    endpoint.setAddress(host).setPort(port);
    member
      .setInstanceId(id)
      .setTimeStamp(`${String(Date.now())}0000`)
      .setIsAlive(true)
      .setHttpEndPoint(endpoint);
    member.setState(gossip.MemberInfo.VNodeState.LEADER);
    const info = new gossip.ClusterInfo();
    info.addMembers(member);
    reply(call, info);
  };
}

/** An id for this run of the server. */
export function newInstanceId(): string {
  return randomUUID();
}

function reply(call: Call, message: { serializeBinary(): Uint8Array }): void {
  call.onHalfClose(() => {
    call.write(frame(message.serializeBinary()));
    call.finish();
  });
}
