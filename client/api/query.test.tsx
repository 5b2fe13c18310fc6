import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { announceReconnect } from '../lib/page-events.ts';
import {
  keepPages,
  queryClient,
  refreshQuery,
  replaceAnswer,
  type ServerPage,
  useServerPages,
  useServerQuery,
  useServerQueryKeepingLast,
} from './query.ts';
import { setCredentials } from './request.ts';

afterEach(() => setCredentials({ access_key: null, admin_token: null }));

const nextTask = (): Promise<void> => new Promise((done) => setTimeout(done, 10));

type Read = (signal: AbortSignal) => Promise<string>;

function One({ read }: { read: Read }): ReactNode {
  const { data, error, isFetching, refetch } = useServerQuery({
    queryKey: ['word'],
    queryFn: ({ signal }) => read(signal),
  });
  return (
    <>
      <p>{data ?? 'nothing'}</p>
      <p>{isFetching ? 'loading' : error ? 'failed' : 'ready'}</p>
      <button type="button" onClick={() => void refetch()}>
        Try again
      </button>
    </>
  );
}

/** Answers in order; a function that throws is a failure. */
const answers = (...list: (() => string)[]): Read => {
  let n = 0;
  return async () => {
    const answer = list[n];
    n += 1;
    if (!answer) throw new Error('asked too often');
    return answer();
  };
};
const fails = (): never => {
  throw new Error('no');
};

test('a failed first load is reported at once and can be repeated', async () => {
  render(<One read={answers(fails, () => 'hello')} />);
  expect(await screen.findByText('failed')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('hello')).toBeTruthy();
  expect(screen.getByText('ready')).toBeTruthy();
});

test('a failed refresh keeps the data, and reconnecting refreshes it', async () => {
  render(
    <One
      read={answers(
        () => 'first',
        fails,
        () => 'second',
      )}
    />,
  );
  await screen.findByText('first');
  await act(() => refreshQuery('word'));
  expect(await screen.findByText('failed')).toBeTruthy();
  expect(screen.getByText('first')).toBeTruthy();
  act(announceReconnect);
  expect(await screen.findByText('second')).toBeTruthy();
});

test('another caller never sees the answer given to the one before', async () => {
  const later = Promise.withResolvers<string>();
  const reads = [async () => 'secret', () => later.promise];
  const { unmount } = render(<One read={() => reads.shift()?.() ?? fails()} />);
  await screen.findByText('secret');
  act(() => setCredentials({ access_key: null, admin_token: 'other' }));
  expect(await screen.findByText('nothing')).toBeTruthy();
  later.resolve('theirs');
  expect(await screen.findByText('theirs')).toBeTruthy();
  unmount();
  expect(queryClient.getQueryData(['word'])).toBe('theirs');
  setCredentials({ access_key: null, admin_token: null });
  expect(queryClient.getQueryData(['word'])).toBeUndefined();
});

test('a part that unmounts when the caller signs out sends no anonymous request', async () => {
  setCredentials({ access_key: null, admin_token: 'mine' });
  await nextTask();
  let reads = 0;
  const { unmount } = render(
    <One
      read={async () => {
        reads += 1;
        return 'secret';
      }}
    />,
  );
  await screen.findByText('secret');
  act(() => setCredentials({ access_key: null, admin_token: null }));
  unmount();
  await nextTask();
  expect(reads).toBe(1);
});

test('an admin who selects another character stays the caller: nothing is loaded again', async () => {
  setCredentials({ access_key: 'first', admin_token: 'mine' });
  await nextTask();
  render(<One read={answers(() => 'list')} />);
  await screen.findByText('list');
  act(() => setCredentials({ access_key: 'second', admin_token: 'mine' }));
  await act(nextTask);
  expect(screen.getByText('list')).toBeTruthy();
  expect(screen.getByText('ready')).toBeTruthy();
});

function OnceOf({ name, read }: { name: string; read: () => Promise<string> }): ReactNode {
  const { data, error } = useServerQueryKeepingLast({ queryKey: ['of', name], queryFn: read });
  return <p>{`${data ?? 'nothing'}${error ? ', failed' : ''}`}</p>;
}

test('the last answer stays when the next question fails, and never for another caller', async () => {
  const { rerender } = render(<OnceOf name="a" read={async () => 'of a'} />);
  await screen.findByText('of a');
  rerender(<OnceOf name="b" read={async () => fails()} />);
  expect(await screen.findByText('of a, failed')).toBeTruthy();
  act(() => setCredentials({ access_key: 'other', admin_token: null }));
  expect(await screen.findByText('nothing, failed')).toBeTruthy();
});

function Following({ read }: { read: () => Promise<string> }): ReactNode {
  const { data, error } = useServerQuery({
    queryKey: ['following'],
    queryFn: read,
    meta: { followsBoard: true },
  });
  return <p>{error ? 'following failed' : (data ?? 'nothing')}</p>;
}

test('a reconnect reported twice is one refresh; queries that follow the board are left to it unless they failed', async () => {
  let reads = 0;
  const count = async (): Promise<string> => {
    reads += 1;
    return `${reads} reads`;
  };
  const follow = answers(fails, () => 'log');
  render(
    <>
      <OnceOf name="c" read={count} />
      <Following read={() => follow(new AbortController().signal)} />
    </>,
  );
  await screen.findByText('1 reads');
  await screen.findByText('following failed');
  const reconnect = async (): Promise<void> => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    act(announceReconnect);
    act(() => void window.dispatchEvent(new Event('online')));
    // Longer than the refreshes are spread over.
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    vi.useRealTimers();
  };
  await reconnect();
  expect(screen.getByText('2 reads')).toBeTruthy();
  expect(screen.getByText('log')).toBeTruthy();
  await reconnect();
  expect(screen.getByText('3 reads')).toBeTruthy();
  expect(screen.getByText('log')).toBeTruthy();
});

function WithOwnKey({ read }: { read: Read }): ReactNode {
  const { data } = useServerQuery({
    queryKey: ['own'],
    queryFn: ({ signal }) => read(signal),
    meta: { hasOwnKey: true },
  });
  return <p>{data ?? 'nothing'}</p>;
}

test('data that was read with an explicit key stays when the caller changes', async () => {
  render(<WithOwnKey read={answers(() => 'preferences')} />);
  await screen.findByText('preferences');
  act(() => setCredentials({ access_key: 'other', admin_token: null }));
  await act(nextTask);
  expect(screen.getByText('preferences')).toBeTruthy();
});

test('another caller loads once what a new component requests at that moment', async () => {
  let reads = 0;
  const read: Read = async () => {
    reads += 1;
    await nextTask();
    return 'theirs';
  };
  act(() => setCredentials({ access_key: 'other', admin_token: null }));
  render(<One read={read} />);
  expect(await screen.findByText('theirs')).toBeTruthy();
  expect(reads).toBe(1);
});

test('leaving cancels the request', async () => {
  let signal: AbortSignal | undefined;
  const { unmount } = render(
    <One
      read={(given) => {
        signal = given;
        return new Promise(() => {});
      }}
    />,
  );
  await waitFor(() => expect(signal).toBeDefined());
  unmount();
  expect(signal?.aborted).toBe(true);
});

test('a read that began before a write does not undo its result, which is read again as ever', async () => {
  const reads: ((word: string) => void)[] = [];
  render(<One read={() => new Promise((resolve) => reads.push(resolve))} />);
  reads[0]?.('before');
  expect(await screen.findByText('before')).toBeTruthy();
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await act(() => replaceAnswer(['word'], 'saved'));
  await act(async () => {
    reads[1]?.('before');
    await nextTask();
  });
  expect(screen.getByText('saved')).toBeTruthy();
  expect(screen.getByText('ready')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  reads[2]?.('later');
  expect(await screen.findByText('later')).toBeTruthy();
});

interface Row {
  id: number;
}
function List({
  read,
}: {
  read: (before: number | undefined) => Promise<ServerPage<Row>>;
}): ReactNode {
  const pages = useServerPages({ queryKey: ['rows'], read: ({ before }) => read(before) });
  return (
    <>
      <p>{`${pages.status}: ${pages.records.map(({ id }) => id).join(' ')}`}</p>
      <p>{`${pages.count} of ${pages.total}${pages.hasMore ? ', more' : ''}${pages.hasNextFailed ? ', next failed' : ''}`}</p>
      <button type="button" onClick={() => void pages.load()}>
        Load
      </button>
    </>
  );
}

test('pages start below the lowest known id; a failed one is repeated, and live records do not shift them', async () => {
  const calls: (number | undefined)[] = [];
  let failing = true;
  render(
    <List
      read={async (before) => {
        calls.push(before);
        if (before === undefined) return { records: [{ id: 9 }, { id: 8 }, { id: 8 }], total: 3 };
        if (failing) throw new Error('no');
        return { records: [{ id: 4 }], total: null };
      }}
    />,
  );
  expect(await screen.findByText('2 of 3, more')).toBeTruthy();
  act(() =>
    keepPages<ServerPage<Row>>(
      ['rows'],
      [{ records: [{ id: 10 }, { id: 9 }, { id: 8 }], total: 4 }],
    ),
  );
  const load = (): Promise<void> => userEvent.click(screen.getByRole('button', { name: 'Load' }));
  await load();
  expect(await screen.findByText('3 of 4, more, next failed')).toBeTruthy();
  expect(screen.getByText('failed: 10 9 8')).toBeTruthy();
  failing = false;
  await load();
  expect(await screen.findByText('ready: 10 9 8 4')).toBeTruthy();
  expect(screen.getByText('4 of 4')).toBeTruthy();
  expect(calls).toEqual([undefined, 8, 8]);
});
