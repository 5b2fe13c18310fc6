import type { Script, ScriptedClaim } from './script.ts';

const CLAIM: ScriptedClaim = { spot: 2, day: 0, start: 14, hours: 3, second: null, waiting: null };
const HERE = { pageOfAdmin: false, confirms: false, slow: 0 };

/** Scripts that once failed, kept since the seeds now make others. */
export const FOUND: readonly { what: string; script: Script }[] = [
  {
    what: 'an event that was activated after members had claimed its dates',
    script: {
      ...HERE,
      confirms: true,
      begins: '2026-11-21T18:00:00.000Z',
      steps: [
        // Bea acts in Discord (which commands go there depends on their length), the page is Cyr's.
        {
          step: 'ask',
          scripted: { do: 'submit', who: 1, asAdmin: false, once: false, claims: [CLAIM] },
        },
        {
          step: 'ask',
          scripted: {
            do: 'submit',
            who: 2,
            asAdmin: false,
            once: false,
            claims: [{ ...CLAIM, spot: 1 }],
          },
        },
        { step: 'ask', scripted: { do: 'create event', single: false, day: 0, days: 2 } },
        { step: 'ask', scripted: { do: 'switch event', nth: 0, on: true } },
        { step: 'jump to a start', nth: 0, minutes: -5 },
        { step: 'look' },
        { step: 'ask', scripted: { do: 'confirm', nth: 10, part: null, by: 'own' } },
        { step: 'ask', scripted: { do: 'give back', nth: 10, part: null, by: 'own' } },
      ],
    },
  },
  {
    what: 'the same claim, for the Claims tab and the message in Discord',
    script: {
      ...HERE,
      pageOfAdmin: true,
      confirms: true,
      begins: '2026-11-21T18:00:00.000Z',
      steps: [
        {
          step: 'ask',
          scripted: { do: 'submit', who: 1, asAdmin: false, once: false, claims: [CLAIM] },
        },
        { step: 'ask', scripted: { do: 'create event', single: false, day: 0, days: 2 } },
        { step: 'ask', scripted: { do: 'switch event', nth: 0, on: true } },
        { step: 'jump to a start', nth: 0, minutes: -5 },
        { step: 'look' },
        { step: 'jump', minutes: 16 },
        { step: 'look' },
      ],
    },
  },
  {
    what: 'a day that began with a write while the clock was ahead of the save, and came back',
    script: {
      ...HERE,
      begins: '2026-11-01T08:50:00.000Z',
      steps: [
        {
          step: 'ask',
          scripted: { do: 'submit', who: 0, asAdmin: false, once: false, claims: [CLAIM] },
        },
        { step: 'jump to the save', seconds: 2, watcher: null },
        { step: 'ask', scripted: { do: 'set rules', change: { hold: 1 } } },
        { step: 'jump', minutes: -5 },
      ],
    },
  },
  {
    what: 'a database that failed over right after a start, while jobs shared one long commit',
    script: {
      ...HERE,
      begins: '2026-03-08T07:30:00.000Z',
      steps: [
        { step: 'jump', minutes: 240 },
        { step: 'back up' },
        { step: 'restore' },
        { step: 'fail over' },
      ],
    },
  },
  {
    what: 'an offer of a claim that ended while the server was away',
    script: {
      ...HERE,
      pageOfAdmin: true,
      confirms: true,
      slow: 2,
      begins: '2026-11-21T18:00:00.000Z',
      steps: [
        {
          step: 'ask',
          scripted: {
            do: 'submit',
            who: 3,
            asAdmin: true,
            once: false,
            claims: [{ ...CLAIM, spot: 1, day: 1, start: 9 }],
          },
        },
        { step: 'jump to the save', seconds: 2, watcher: 2 },
        {
          step: 'ask',
          scripted: {
            do: 'submit',
            who: 1,
            asAdmin: true,
            once: false,
            claims: [{ ...CLAIM, spot: 0, start: 9 }],
          },
        },
        { step: 'ask', scripted: { do: 'offer swap', nth: 6, other: 2, by: 'own' } },
        { step: 'jump to a start', nth: 6, minutes: 0 },
        { step: 'crash', commands: [], turns: 9 },
      ],
    },
  },
];
