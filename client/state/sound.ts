import { useEffect } from 'react';
import { create } from 'zustand';
import { type Chime, createChime } from '../lib/chime.ts';
import { localStore } from '../lib/storage.ts';

const KEPT_AS = 'watch-sound';
const ON = 'on';

const isKeptOn = (): boolean => localStore.getItem(KEPT_AS) === ON;

/** One switch for all sounds: changes in watch mode and offered hours. `isAwake`: the browser lets the page play sound. */
const useSwitch = create<{ isOn: boolean; isAwake: boolean }>(() => ({
  isOn: isKeptOn(),
  isAwake: false,
}));

let chime: Chime | null = null;
let listeners = 0;

/** `silent`: switched on, but the browser blocks sound until the user presses something. */
type Sound = 'off' | 'on' | 'silent';

export interface SoundSwitch {
  sound: Sound;
  /** Toggles the sound. If it is `silent`, unblocks it instead. */
  press: () => void;
}

/**
 * The sound switch, off by default and stored in this browser. While a component uses it, audio is ready to play.
 * @returns null without Web Audio
 */
export function useSound(): SoundSwitch | null {
  const { isOn, isAwake } = useSwitch();
  useEffect(listen, []);
  if (!('AudioContext' in window)) return null;
  return { sound: !isOn ? 'off' : isAwake ? 'on' : 'silent', press };
}

export const playSound = (): void => chime?.play();

/** Attribute of the buttons that toggle the sound: a press there must not also unblock it (see `wake`). */
export const SOUND_BUTTON = { 'data-sound': '' };

function listen(): () => void {
  listeners += 1;
  if (listeners === 1) {
    // Another tab may have toggled it.
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

/** Browsers allow sound after a press anywhere on the page. */
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
    // Start within the event handler, or the browser blocks it.
    open();
    chime?.start();
  }
  useSwitch.setState({ isOn: !isOn });
}
