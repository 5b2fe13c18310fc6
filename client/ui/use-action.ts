import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { queryClient } from '../api/query.ts';
import { useErrorText } from '../lib/words/error-text.ts';
import { showToast } from './toast.tsx';

interface ActionOptions<Input, Result> {
  work: (input: Input) => Promise<Result>;
  /** After success, also where the component is gone. What it throws counts as a failure. */
  done?: (result: Result, input: Input) => unknown;
  /** The message of a failure, made from its reason. Without it `failure` is for the component to show. */
  failed?: (reason: string) => string;
  /** After success and failure alike. */
  atEnd?: () => void;
}

export interface Action<Input, Result = unknown> {
  /** Does the work; while it is under way, further presses are ignored. */
  run: (input: Input) => void;
  isBusy: boolean;
  /** What the last press was for. */
  input: Input | undefined;
  /** Why the last try failed; null while the next one is under way, and after success. */
  failure: unknown;
  /** The last answer, until the next try. */
  result: Result | undefined;
  forget: () => void;
}

/** What a press does on the server: the one way to be busy, and to say that it failed. It goes on where its component is gone. */
export function useAction<Input = void, Result = unknown>({
  work,
  done,
  failed,
  atEnd,
}: ActionOptions<Input, Result>): Action<Input, Result> {
  const errorText = useErrorText();
  const isRunning = useRef(false);
  const { mutate, isPending, variables, error, data, reset } = useMutation<Result, unknown, Input>(
    {
      mutationFn: work,
      onSuccess: (result, input) => done?.(result, input),
      onError: (reason) => {
        if (failed) showToast({ tone: 'bad', text: failed(errorText(reason)) });
      },
      onSettled: () => {
        isRunning.current = false;
        atEnd?.();
      },
    },
    queryClient,
  );
  const run = (input: Input): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutate(input);
  };
  return { run, isBusy: isPending, input: variables, failure: error, result: data, forget: reset };
}
