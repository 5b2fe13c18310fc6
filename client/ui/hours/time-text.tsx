import type { ReactNode } from 'react';
import { useInstantText } from '../../lib/time-text.ts';

/** The day of an instant where the reader is, such as 21 Nov 2026; the minute on hover. */
export function DateText({ at }: { at: string }): ReactNode {
  const instantText = useInstantText();
  return (
    <time dateTime={at} title={instantText(at, 'full')} className="muted tabular nowrap">
      {instantText(at, 'date')}
    </time>
  );
}

/** "20 Nov 2026, 20:00": an instant on the reader's clock. */
export function MinuteText({ at }: { at: string }): ReactNode {
  const instantText = useInstantText();
  return (
    <time dateTime={at} className="muted tabular nowrap">
      {instantText(at, 'dateAndClock')}
    </time>
  );
}
