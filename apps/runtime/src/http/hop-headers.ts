/** Headers of one connection, which nobody passes on. */
const ofConnection =
  /^(connection|keep-alive|proxy-.*|te|trailer|trailers|transfer-encoding|upgrade|host|content-length|expect)$/;

export const isOfConnection = (name: string): boolean => ofConnection.test(name.toLowerCase());

/** The headers as pairs, in their order, without those of the connection. */
export function passedOn(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name = '', value = ''] = raw.slice(i, i + 2);
    if (!isOfConnection(name)) pairs.push([name.toLowerCase(), value]);
  }
  return pairs;
}
