import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Delivery, Destination } from '../../../../../shared/schemas/destination.ts';
import { getDeliveries } from '../../../../api/calls.ts';

export interface DeliveriesRead {
  /** What is here of them; null: nothing yet. */
  deliveries: readonly Delivery[] | null;
  isLoading: boolean;
  /** What the last reading failed with. */
  error: unknown;
  load: () => void;
}

/**
 * The last messages that a destination was sent, read anew whenever its record tells of another one. Of changes that come while
 * it is being read, however many, one more reading is made.
 */
export function useDeliveries({ id, ...known }: Destination): DeliveriesRead {
  const [deliveries, setDeliveries] = useState<readonly Delivery[] | null>(null);
  const [isLoading, setIsLoading] = useState(true);
  const [error, setError] = useState<unknown>(null);
  const reading = useRef<{ abort: AbortController; isOld: boolean } | null>(null);

  const read = async (): Promise<void> => {
    if (reading.current) {
      reading.current.isOld = true;
      return;
    }
    const mine = { abort: new AbortController(), isOld: false };
    reading.current = mine;
    setIsLoading(true);
    setError(null);
    try {
      const read = await getDeliveries(id, mine.abort.signal);
      if (mine.abort.signal.aborted) return;
      setDeliveries(read);
    } catch (failure) {
      if (mine.abort.signal.aborted) return;
      setError(failure);
    }
    reading.current = null;
    setIsLoading(false);
    if (mine.isOld) again();
  };
  const again = (): void => void read();

  const readNow = useEffectEvent(again);
  const { last_delivery_at, last_error, next_try_at, waiting, switched_off } = known;
  const told = [last_delivery_at, last_error, next_try_at, waiting, switched_off].join();
  useEffect(() => {
    void told;
    readNow();
  }, [told]);
  useEffect(
    () => () => {
      reading.current?.abort.abort();
      reading.current = null;
    },
    [],
  );
  return { deliveries, isLoading, error, load: again };
}
