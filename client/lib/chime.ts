/** Two short soft tones, a fifth apart, in hertz and seconds. */
const TONES = [
  { pitch: 660, at: 0 },
  { pitch: 990, at: 0.14 },
];
const LENGTH_S = 0.3;
const LOUDNESS = 0.12;
/** Several changes in a moment are one sound, in milliseconds. */
const PAUSE_MS = 2_000;

export interface Chime {
  play: () => void;
  /** Call it in a press handler: browsers require one for sound. */
  start: () => void;
  stop: () => void;
}

/**
 * A synthesized sound.
 * @param onChange called at once and whenever sound becomes possible or impossible
 * @returns null without AudioContext
 */
export function createChime(onChange: (isAwake: boolean) => void): Chime | null {
  if (!('AudioContext' in window)) return null;
  const audio = new AudioContext();
  let last = Number.NEGATIVE_INFINITY;
  const look = (): void => onChange(audio.state === 'running');
  audio.addEventListener('statechange', look);
  look();
  return {
    play: () => {
      const now = performance.now();
      if (audio.state !== 'running' || now - last < PAUSE_MS) return;
      last = now;
      for (const { pitch, at } of TONES) tone(audio, pitch, audio.currentTime + at);
    },
    start: () => void audio.resume().catch(() => {}),
    stop: () => {
      audio.removeEventListener('statechange', look);
      void audio.close().catch(() => {});
    },
  };
}

/** Fades in and out: an abrupt end clicks. */
function tone(audio: AudioContext, pitch: number, at: number): void {
  const voice = audio.createOscillator();
  const volume = audio.createGain();
  voice.frequency.value = pitch;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(LOUDNESS, at + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + LENGTH_S);
  voice.connect(volume).connect(audio.destination);
  voice.start(at);
  voice.stop(at + LENGTH_S);
}
