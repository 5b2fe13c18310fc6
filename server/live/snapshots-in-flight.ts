/** Bytes of all snapshots that this process is sending. Each encoded body counts once, however many connections take it. */
const MAX_BYTES_IN_FLIGHT = 256 * 1024 * 1024;

/** A connection that takes a snapshot. */
interface Taker {
  /** Closes it to free the snapshot's bytes. */
  destroy: () => void;
}

interface SnapshotsInFlight {
  /** @returns a function to call when the connection has taken the bytes, or is closed */
  add: (bytes: Buffer, connection: Taker) => () => void;
  bytes: () => number;
}

/**
 * Each change makes another snapshot, and a slow reader holds an old one. Beyond the limit, the connections that take the oldest
 * are destroyed; an honest client comes back for the newest. Browsers load the board compressed, to about a tenth, and then only catch up:
 * with a board of 10 MB the limit is some 250 versions that are read at the same time.
 */
export function createSnapshotsInFlight(max = MAX_BYTES_IN_FLIGHT): SnapshotsInFlight {
  /** The receivers of each snapshot, the oldest snapshot first. */
  const takers = new Map<Buffer, Set<{ connection: Taker }>>();
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
