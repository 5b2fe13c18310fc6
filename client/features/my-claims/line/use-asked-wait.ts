import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { waitIn } from '../../../lib/board-place.ts';
import { RINGED_MS } from '../../../state/shown-spot.ts';

/**
 * Brings what a notice is about into view, as soon as it is there.
 * @returns where it is, and whether it is ringed, which it is for a moment
 */
export function useAskedWait<E extends HTMLElement>(wait_id: number): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null);
  const { search, key } = useLocation();
  const isAsked = waitIn(search) === wait_id;
  const [isRinged, setIsRinged] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same one asked for by another navigation is asked for anew
  useEffect(() => {
    if (!isAsked) return;
    ref.current?.scrollIntoView({ block: 'center' });
    setIsRinged(true);
    const timer = setTimeout(() => setIsRinged(false), RINGED_MS);
    return () => clearTimeout(timer);
  }, [isAsked, key]);
  return [ref, isAsked && isRinged];
}
