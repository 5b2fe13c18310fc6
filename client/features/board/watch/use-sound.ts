import { useEffect, useRef, useState } from 'react';
import { type Chime, createChime } from './chime.ts';

const KEPT_AS = 'watch-sound';
const ON = 'on';

/** `silent`: it is on, and the browser waits for a press before it lets it be heard. */
export type Sound = 'off' | 'on' | 'silent';

export interface SoundSwitch {
  sound: Sound;
  /** Off, or on; where it is silent, the press is what it waits for. */
  press: () => void;
  play: () => void;
}

/** A sound at every change: off until somebody wants it, and kept in this browser. */
export function useSound(): SoundSwitch | null {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(KEPT_AS) === ON);
  const chime = useRef<Chime | null>(null);
  const [isAwake, setAwake] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    chime.current ??= createChime(setAwake);
    return () => {
      chime.current?.stop();
      chime.current = null;
    };
  }, [isOn]);
  if (!('AudioContext' in window)) return null;
  const sound = !isOn ? 'off' : isAwake ? 'on' : 'silent';
  const press = (): void => {
    if (sound === 'silent') {
      chime.current?.start();
      return;
    }
    if (isOn) localStorage.removeItem(KEPT_AS);
    else {
      localStorage.setItem(KEPT_AS, ON);
      // Within the press, or it would not be heard.
      chime.current = createChime(setAwake);
      chime.current?.start();
    }
    setIsOn(!isOn);
  };
  return { sound, press, play: () => chime.current?.play() };
}
