import { type RefObject, useEffect, useRef } from 'react';
import { useShownSpot } from '../../../state/shown-spot.ts';

/** Brings a spot into view when somebody asks for it on the date in view. @returns where it is, and whether it is ringed */
export function useRing<E extends HTMLElement>(respawn_id: number, date: string): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null);
  const asked = useShownSpot(({ shown }) => (shown?.respawn_id === respawn_id && shown.date === date ? shown : null));
  useEffect(() => {
    if (asked) ref.current?.scrollIntoView({ block: 'center' });
  }, [asked]);
  return [ref, asked !== null];
}
