import type { Socket } from 'node:net';
import { countedAs } from './limits/address.ts';

/** The connections that may be ended for others to come, by the address they are from. */
export interface Room {
  /** One more that may be ended; when it closes it is forgotten. */
  add: (connection: Socket) => void;
  /** It was of use just now: of its address it is the last to go. */
  renew: (connection: Socket) => void;
  /** It is not ended for others from now on. */
  spare: (connection: Socket) => void;
  /**
   * Ends one of the address that has most, the one that was of no use for longest.
   * @returns it, or null where none may be ended
   */
  make: () => Socket | null;
}

/** Each step takes the same short time, however many connections and addresses there are: it runs once a connection of a flood. */
export function createRoom(): Room {
  /** Of each address the connections, the next to go first. */
  const byAddress = new Map<string, Set<Socket>>();
  const addresses = new WeakMap<Socket, string>();
  /** Of each number of connections the addresses that have as many. */
  const byCount: Set<string>[] = [];

  const recount = (address: string, before: number, now: number): void => {
    byCount[before]?.delete(address);
    if (now > 0) byCount[now] = (byCount[now] ?? new Set()).add(address);
    // Counts change by one, and so does the greatest.
    while (byCount.length > 0 && !byCount.at(-1)?.size) byCount.pop();
  };

  const forget = (connection: Socket): void => {
    const address = addresses.get(connection);
    const own = address === undefined ? undefined : byAddress.get(address);
    if (address === undefined || !own?.delete(connection)) return;
    if (own.size === 0) byAddress.delete(address);
    recount(address, own.size + 1, own.size);
  };

  return {
    add: (connection) => {
      const address = countedAs(connection.remoteAddress ?? '');
      addresses.set(connection, address);
      const own = byAddress.get(address) ?? new Set();
      byAddress.set(address, own.add(connection));
      recount(address, own.size - 1, own.size);
      connection.once('close', () => forget(connection));
    },
    renew: (connection) => {
      const own = byAddress.get(addresses.get(connection) ?? '');
      if (own?.delete(connection)) own.add(connection);
    },
    spare: forget,
    make: () => {
      const [address = ''] = byCount.at(-1) ?? [];
      const [connection] = byAddress.get(address) ?? [];
      if (!connection) return null;
      forget(connection);
      connection.destroy();
      return connection;
    },
  };
}
