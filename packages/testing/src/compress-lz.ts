const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$';

/** A text of ASCII as LZ-string writes it for addresses, where it finds nothing that repeats. */
export function compressLz(text: string): string {
  const bits: number[] = [];
  const write = (value: number, count: number): void => {
    for (let bit = 0; bit < count; bit += 1) bits.push((value >> bit) & 1);
  };
  let [width, room] = [2, 1];
  const grow = (): void => {
    room -= 1;
    if (room === 0) [width, room] = [width + 1, 2 ** width];
  };
  for (const [at, character] of [...text].entries()) {
    write(0, width);
    write(character.charCodeAt(0), 8);
    grow();
    if (at > 0) grow();
  }
  write(2, width);
  while (bits.length % 6 !== 0) bits.push(0);
  const groups = Array.from({ length: bits.length / 6 }, (_, at) => bits.slice(at * 6, at * 6 + 6));
  return groups.map((group) => alphabet[group.reduce((value, bit) => value * 2 + bit, 0)]).join('');
}
