import { act, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ActivityTable } from './features/admin/activity/activity-table.tsx';
import { CheckProgress } from './features/session/verify/code-step.tsx';
import { BoardContexts } from './features/shell/page-frame.tsx';
import { anEntry } from './test/records.ts';
import { useLocalTime } from './ui/hours/hours-text.tsx';
import { DateText } from './ui/hours/time-text.tsx';

const LATE = '2026-11-21T23:30:00.000Z';

let zoneBefore: string | undefined;
beforeEach(() => {
  zoneBefore = process.env.TZ;
  process.env.TZ = 'Europe/Lisbon';
});
afterEach(() => {
  if (zoneBefore === undefined) delete process.env.TZ;
  else process.env.TZ = zoneBefore;
  window.dispatchEvent(new Event('focus'));
});

/** SS+14 is 15:00 Pacific. */
const Hour = (): ReactNode => <p>{useLocalTime()('2026-11-21', 14)}</p>;

const WHERE: { [what: string]: { element: ReactNode; inLisbon: string; inTokyo: string } } = {
  'the hours of the board': { element: <Hour />, inLisbon: '23:00', inTokyo: '08:00' },
  'days in tables': {
    element: <DateText at={LATE} />,
    inLisbon: '21 Nov 2026',
    inTokyo: '22 Nov 2026',
  },
  'the log': {
    element: (
      <ActivityTable
        entries={[anEntry({ timestamp: LATE })]}
        causedBy={() => []}
        onRestore={() => {}}
      />
    ),
    inLisbon: '21 Nov 2026, 23:30',
    inTokyo: '22 Nov 2026, 08:30',
  },
  'the next look at a character': {
    element: (
      <CheckProgress
        attempt={1}
        last={{
          kind: 'pending',
          characterName: 'Riley Ashdown',
          reason: 'verification.codeNotFound',
          waitSeconds: null,
          checkedAt: LATE,
          nextCheckAt: null,
          text: '',
        }}
      />
    ),
    inLisbon: '23:30',
    inTokyo: '08:30',
  },
};

test.each([
  ['is looked at again', () => document.dispatchEvent(new Event('visibilitychange'))],
  ['has the focus again', () => window.dispatchEvent(new Event('focus'))],
])(
  'a laptop carried to another zone shows its times there as soon as the page %s',
  (_when, comeBack) => {
    for (const [what, { element, inLisbon, inTokyo }] of Object.entries(WHERE)) {
      process.env.TZ = 'Europe/Lisbon';
      const { unmount } = render(<BoardContexts>{element}</BoardContexts>);
      expect(document.body.textContent, what).toContain(inLisbon);
      process.env.TZ = 'Asia/Tokyo';
      act(() => void comeBack());
      expect(document.body.textContent, what).toContain(inTokyo);
      expect(document.body.textContent, what).not.toContain(inLisbon);
      unmount();
    }
    expect(screen.queryByRole('table')).toBeNull();
  },
);
