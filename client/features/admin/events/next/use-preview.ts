import { useEffect, useState } from 'react';
import type { ClaimsToCopy, EventCopied } from '../../../../../shared/schemas/event-copy.ts';
import { copyEvent } from '../../../../api/calls.ts';

/** What a copy would be asked for. */
export interface Asked {
  id: number;
  name: string;
  start_time: string;
  end_time: string;
  claims: ClaimsToCopy;
}

export interface Preview {
  /** The last one that was told; it stands while the next is on its way. */
  told: EventCopied | null;
  failure: unknown;
  isLoading: boolean;
}

/** While somebody turns a date, nobody is asked. */
const PAUSE_MS = 250;

/** What would come along, told anew when what is asked for changes. @param asked null: nothing is to be told */
export function usePreview(asked: Asked | null): Preview {
  const [preview, setPreview] = useState<Preview>({ told: null, failure: null, isLoading: false });
  const key = asked ? JSON.stringify(asked) : null;
  useEffect(() => {
    if (key === null) {
      setPreview({ told: null, failure: null, isLoading: false });
      return;
    }
    let isCurrent = true;
    setPreview(({ told }) => ({ told, failure: null, isLoading: true }));
    const timer = setTimeout(async () => {
      const { id, ...copy }: Asked = JSON.parse(key);
      try {
        const told = await copyEvent(id, { ...copy, preview: true });
        if (isCurrent) setPreview({ told, failure: null, isLoading: false });
      } catch (failure) {
        if (isCurrent) setPreview({ told: null, failure, isLoading: false });
      }
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);
  return preview;
}
