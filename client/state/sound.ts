import { useEffect } from 'react';
import { create } from 'zustand';
import { type Chime, createChime } from '../lib/chime.ts';
import { localStore } from '../lib/storage.ts';

const KEPT_AS = 'watch-sound';
const ON = 'on';

const isKeptOn = (): boolean => localStore.getItem(KEPT_AS) === ON;

/** One switch for whatever makes a sound, and one sound: what changes in watch mode, and hours that are held for somebody here. */
const useSwitch = create<{ isOn: boolean; isAwake: boolean }>(() => ({ isOn: isKeptOn(), isAwake: false }));

let chime: Chime | null = null;
let listeners = 0;

/** `silent`: it is on, and the browser waits for a press before it lets it be heard. */
type Sound = 'off' | 'on' | 'silent';

export interface SoundSwitch {
  sound: Sound;
  /** Off, or on; where it is silent, the press is what it waits for. */
  press: () => void;
}

/**
 * The sound as it is, ready to be heard while anybody asks: off until somebody wants it, and kept in this browser.
 * @returns null where the browser makes none
 */
export function useSound(): SoundSwitch | null {
  const { isOn, isAwake } = useSwitch();
  useEffect(listen, []);
  if (!('AudioContext' in window)) return null;
  return { sound: !isOn ? 'off' : isAwake ? 'on' : 'silent', press };
}

export const playSound = (): void => chime?.play();

/** Of the buttons that press the switch: a press there is that, and not any press. */
export const SOUND_BUTTON = { 'data-sound': '' };

function listen(): () => void {
  listeners += 1;
  if (listeners === 1) {
    // Another tab may have switched it meanwhile.
    useSwitch.setState({ isOn: isKeptOn() });
    if (useSwitch.getState().isOn) open();
    document.addEventListener('pointerdown', wake);
    document.addEventListener('keydown', wake);
  }
  return () => {
    listeners -= 1;
    if (listeners > 0) return;
    document.removeEventListener('pointerdown', wake);
    document.removeEventListener('keydown', wake);
    close();
  };
}

function open(): void {
  if ('AudioContext' in window) chime ??= createChime((isAwake) => useSwitch.setState({ isAwake }));
}

function close(): void {
  chime?.stop();
  chime = null;
  useSwitch.setState({ isAwake: false });
}

/** Any press on the page is what a browser waits for. */
function wake({ target }: Event): void {
  const isSwitch = target instanceof Element && target.closest('[data-sound]') !== null;
  if (!isSwitch && !useSwitch.getState().isAwake) chime?.start();
}

function press(): void {
  const { isOn, isAwake } = useSwitch.getState();
  if (isOn && !isAwake && chime) {
    chime.start();
    return;
  }
  if (isOn) {
    localStore.removeItem(KEPT_AS);
    close();
  } else {
    localStore.setItem(KEPT_AS, ON);
    // Within the press, or it would not be heard.
    open();
    chime?.start();
  }
  useSwitch.setState({ isOn: !isOn });
}
