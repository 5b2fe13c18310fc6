import { useEffect, useEffectEvent, useRef, useState } from 'react';

export type Loaded<T> = { status: 'loading' } | { status: 'ready'; value: T } | { status: 'failed' };

export interface Answers<T> {
  of: (question: string) => Loaded<T>;
  askAgain: () => void;
}

interface Asking<T> {
  /** Each a text of its own, without line breaks. */
  questions: readonly string[];
  load: (question: string, signal: AbortSignal) => Promise<T>;
  /** How long to wait for the questions to settle before asking. */
  pauseMs: number;
  /** Looks for new versions whenever this changes. */
  again?: unknown;
  /** A question is asked anew when its version is another one; the last answer stands until the new one is here. */
  versionOf?: (question: string) => unknown;
}

/** Asks the server some questions and keeps the answers; one that was answered is not asked twice. */
export function useAnswers<T>({ questions, load, pauseMs, again, versionOf }: Asking<T>): Answers<T> {
  const [answers, setAnswers] = useState<ReadonlyMap<string, Loaded<T>>>(new Map());
  const [tries, setTries] = useState(0);
  const answered = useRef(new Map<string, unknown>());
  const wanted = [...new Set(questions)].join('\n');

  const ask = useEffectEvent(async (question: string, signal: AbortSignal) => {
    const version = versionOf?.(question);
    if (answered.current.has(question) && answered.current.get(question) === version) return;
    const answer = await load(question, signal).then(
      (value): Loaded<T> => ({ status: 'ready', value }),
      (): Loaded<T> => ({ status: 'failed' }),
    );
    if (signal.aborted) return;
    // What failed is asked again at the next occasion.
    if (answer.status === 'ready') answered.current.set(question, version);
    setAnswers((before) => new Map(before).set(question, answer));
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` and `tries` are reasons to ask anew, not part of the question
  useEffect(() => {
    if (wanted === '') return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      for (const question of wanted.split('\n')) void ask(question, abort.signal);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted, pauseMs, again, tries]);

  return {
    of: (question) => answers.get(question) ?? { status: 'loading' },
    askAgain: () => {
      answered.current.clear();
      setTries((count) => count + 1);
    },
  };
}
