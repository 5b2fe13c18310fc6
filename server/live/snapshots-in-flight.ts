import type { Socket } from 'node:net';

/** Bytes of all snapshots that are being sent, of this process. Each snapshot counts once, however many connections take it. */
const MAX_BYTES_IN_FLIGHT = 256 * 1024 * 1024;

interface SnapshotsInFlight {
  /** @returns a function to call when the connection has taken the bytes, or is closed */
  add: (bytes: Buffer, connection: Pick<Socket, 'destroy'>) => () => void;
  bytes: () => number;
}

/**
 * Each change makes another snapshot, and a slow reader holds an old one. Beyond the limit, the connections that take the oldest
 * are destroyed; an honest client comes back for the newest.
 */
export function createSnapshotsInFlight(max = MAX_BYTES_IN_FLIGHT): SnapshotsInFlight {
  /** Who takes each snapshot, the oldest snapshot first. */
  const takers = new Map<Buffer, Set<{ connection: Pick<Socket, 'destroy'> }>>();
  let total = 0;

  const remove = (bytes: Buffer): void => {
    if (takers.delete(bytes)) total -= bytes.length;
  };
  const destroyOldest = (newest: Buffer): void => {
    for (const [bytes, ofBytes] of takers) {
      if (total <= max || bytes === newest) return;
      remove(bytes);
      for (const { connection } of ofBytes) connection.destroy();
    }
  };

  return {
    bytes: () => total,
    add: (bytes, connection) => {
      const taker = { connection };
      const ofBytes = takers.get(bytes) ?? new Set();
      if (!takers.has(bytes)) {
        takers.set(bytes, ofBytes);
        total += bytes.length;
        destroyOldest(bytes);
      }
      ofBytes.add(taker);
      return () => {
        ofBytes.delete(taker);
        // After its snapshot was removed, others may take the same bytes again.
        if (ofBytes.size === 0 && takers.get(bytes) === ofBytes) remove(bytes);
      };
    },
  };
}

/** Over HTTP and over the live protocol. */
export const snapshotsInFlight = createSnapshotsInFlight();
