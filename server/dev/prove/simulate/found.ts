import type { Script, ScriptedClaim } from './script.ts';

const CLAIM: ScriptedClaim = { spot: 2, day: 0, start: 14, hours: 3, second: null, waiting: null };
const HERE = { pageOfAdmin: false, confirms: false, slow: 0 };

/** Scripts that once failed, kept since the seeds now make others. */
export const FOUND: readonly { what: string; script: Script }[] = [
  {
    what: 'a day that began with a write while the clock was ahead of the save, and came back',
    script: {
      ...HERE,
      begins: '2026-11-01T08:50:00.000Z',
      steps: [
        { step: 'ask', scripted: { do: 'submit', who: 0, asAdmin: false, once: false, claims: [CLAIM] } },
        { step: 'jump to the save', seconds: 2, watcher: null },
        { step: 'ask', scripted: { do: 'set rules', change: { hold: 1 } } },
        { step: 'jump', minutes: -5 },
      ],
    },
  },
];
