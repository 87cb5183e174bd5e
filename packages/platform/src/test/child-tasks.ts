import { buffer } from 'node:stream/consumers';

/** The process of the specs of child tasks: does what its input says. */
const input = await buffer(process.stdin);
const [verb = '', more = ''] = input.subarray(0, 100).toString().split(' ');
switch (verb) {
  case 'count':
    process.stdout.write(String(input.length));
    break;
  case 'show':
    process.stdout.write(JSON.stringify({ env: process.env, heap: process.execArgv }));
    break;
  case 'fail':
    process.stderr.write('no such face\n');
    process.exit(3);
    break;
  case 'write':
    process.stdout.write(Buffer.alloc(Number(more)));
    break;
  case 'allocate': {
    const kept: Buffer[] = [];
    for (;;) kept.push(Buffer.alloc(16 * 1024 * 1024, 1));
  }
  case 'spin':
    for (;;);
}
