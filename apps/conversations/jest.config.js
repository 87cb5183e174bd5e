import preset, { withRigs } from '@scriptorium/toolchain/jest';

export default withRigs(preset);
