import type { Script, WishedClaim } from './script.ts';

const CLAIM: WishedClaim = { spot: 2, day: 0, start: 14, hours: 3, second: null, waiting: null };
const HERE = { pageOfAdmin: false, confirms: false, slow: 0 };

/** Scripts that once failed, kept since the seeds now make others. */
export const FOUND: readonly { what: string; script: Script }[] = [
  {
    what: 'a day that began with a write while the clock was ahead of the save, and came back',
    script: {
      ...HERE,
      begins: '2026-11-01T08:50:00.000Z',
      steps: [
        { step: 'ask', wish: { do: 'submit', who: 0, asAdmin: false, once: false, claims: [CLAIM] } },
        { step: 'leap to the save', seconds: 2, watcher: null },
        { step: 'ask', wish: { do: 'set rules', change: { hold: 1 } } },
        { step: 'leap', minutes: -5 },
      ],
    },
  },
];
