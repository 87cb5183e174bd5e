import { randomBytes } from 'node:crypto';
import { T, type Elem } from './view.js';

/** Makes ObjectIds for documents that come without one: seconds, five random bytes, a counter. */
export function objectIdSource(): () => Elem {
  const machine = randomBytes(5);
  let counter = randomBytes(3).readUIntBE(0, 3);
  return () => {
    const b = Buffer.alloc(12);
    b.writeUInt32BE(Math.floor(Date.now() / 1000), 0);
    machine.copy(b, 4);
    counter = (counter + 1) & 0xffffff;
    b.writeUIntBE(counter, 9, 3);
    return { t: T.objectId, b, s: 0, e: 12 };
  };
}
