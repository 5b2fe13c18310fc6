import { useEffect, useEffectEvent, useState } from 'react';

export type Loaded<T> = { status: 'loading' } | { status: 'ready'; value: T } | { status: 'failed' };

export interface ByDate<T> {
  of: (date: string) => Loaded<T>;
  askAgain: () => void;
}

interface Question<T> {
  /** What is asked about, apart from the date; null: nothing yet. */
  subject: string | null;
  dates: readonly string[];
  load: (date: string, signal: AbortSignal) => Promise<T>;
  /** How long to wait for the dates to settle before asking. */
  pauseMs: number;
  /** Asks again whenever this changes; the last answer stands until the new one is here. */
  again?: unknown;
}

/** Asks the server about each of some dates and keeps the answers. */
export function useByDate<T>({ subject, dates, load, pauseMs, again }: Question<T>): ByDate<T> {
  const [answers, setAnswers] = useState<ReadonlyMap<string, Loaded<T>>>(new Map());
  const [tries, setTries] = useState(0);
  const wanted = dates.join(' ');

  const ask = useEffectEvent(async (about: string, date: string, signal: AbortSignal) => {
    const answer = await load(date, signal).then(
      (value): Loaded<T> => ({ status: 'ready', value }),
      (): Loaded<T> => ({ status: 'failed' }),
    );
    if (!signal.aborted) setAnswers((before) => new Map(before).set(`${about} ${date}`, answer));
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` and `tries` are reasons to ask anew, not part of the question
  useEffect(() => {
    if (subject === null || wanted === '') return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      for (const date of wanted.split(' ')) void ask(subject, date, abort.signal);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [subject, wanted, pauseMs, again, tries]);

  return {
    of: (date) => answers.get(`${subject} ${date}`) ?? { status: 'loading' },
    askAgain: () => setTries((count) => count + 1),
  };
}
