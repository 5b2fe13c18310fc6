import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { queryClient } from '../api/query.ts';
import { useErrorText } from '../lib/words/error-text.ts';
import { showToast } from './toast.tsx';

interface ActionOptions<Input, Result> {
  work: (input: Input) => Promise<Result>;
  /** After success, also once the component is unmounted. An error thrown here counts as a failure. */
  done?: (result: Result, input: Input) => unknown;
  /** The message of a failure, made from its reason. Without it `failure` is for the component to show. */
  failed?: (reason: string, input: Input) => string;
  /** After success and failure alike. */
  atEnd?: () => void;
}

export interface Action<Input, Result = unknown> {
  /** Does the work; while it is under way, further presses are ignored. */
  run: (input: Input) => void;
  isBusy: boolean;
  /** The argument of the last `run`. */
  input: Input | undefined;
  /** Why the last try failed; null while the next one is under way, and after success. */
  failure: unknown;
  /** The last answer, until the next try. */
  result: Result | undefined;
  /** Drops the last failure and answer, unless the next try is under way. */
  forget: () => void;
}

/** Runs a press's call to the server: one at a time, with its busy state and its failure. It finishes even if the component unmounts. */
export function useAction<Input = void, Result = unknown>(
  options: ActionOptions<Input, Result>,
): Action<Input, Result> {
  const errorText = useErrorText();
  const isRunning = useRef(false);
  // Each press keeps its own callbacks: by the time it ends, the component may render another record.
  const { mutate, isPending, variables, error, data, reset } = useMutation<
    Result,
    unknown,
    { input: Input } & ActionOptions<Input, Result>
  >(
    {
      mutationFn: (press) => press.work(press.input),
      onSuccess: (result, press) => press.done?.(result, press.input),
      onError: (reason, press) => {
        if (press.failed)
          showToast({ tone: 'bad', text: press.failed(errorText(reason), press.input) });
      },
      onSettled: (_result, _reason, press) => {
        isRunning.current = false;
        press.atEnd?.();
      },
    },
    queryClient,
  );
  const run = (input: Input): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutate({ input, ...options });
  };
  const forget = (): void => {
    if (!isRunning.current) reset();
  };
  return { run, isBusy: isPending, input: variables?.input, failure: error, result: data, forget };
}
