export { anyDevMode, isDeveloped, leaveDevMode, tunnelFor } from './dev-mode.process.js';
export { devModes } from './dev-mode.projection.js';
export { TunnelClient } from './tunnel-client.process.js';
export { countTunnelFailure, dropTunnels, forgetTunnelFailures } from './tunnel.operational.js';
