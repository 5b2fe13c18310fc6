import {
  type DefaultError,
  type InfiniteData,
  type Query,
  QueryClient,
  type QueryKey,
  type QueryMeta,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useQueries,
  useQuery,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DiscordLinkState } from '../../shared/schemas/discord.ts';
import type { PageQuery } from '../../shared/schemas/fields.ts';
import type { PushPreferences } from '../../shared/schemas/push.ts';
import { onReconnect } from '../lib/page-events.ts';
import { getDiscordLink, getPushPreferences } from './calls.ts';
import { watchCaller } from './request.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Read with a secret of its own, not the session's: the answer stays when the caller changes. */
      hasOwnKey?: boolean;
      /** Follows the live board, which says after a reconnect whether to read again. Only a failure is repeated with the others. */
      followsBoard?: boolean;
    };
  }
}

/**
 * Server state that is not the board: loaded, paged, kept and refreshed here. Only lazily loaded parts import this file: the board's
 * first load does without the library, and without a provider around the page.
 *
 * A failure is shown at once with a way to retry, so nothing is retried automatically except on reconnect. An answer stays cached
 * for five minutes after its page was left, and is shown while it is refreshed.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    // A mutation's input, such as a password, is dropped when its form unmounts.
    mutations: { networkMode: 'always', gcTime: 0 },
  },
});

/** After an outage every page reads again: spread that over this time. */
const RECONNECT_SPREAD_MS = 500;
let isRefreshPlanned = false;
// The browser and the live connection report the same reconnect.
onReconnect(() => {
  if (isRefreshPlanned) return;
  isRefreshPlanned = true;
  setTimeout(() => {
    isRefreshPlanned = false;
    const isStale = ({ meta, state }: Query): boolean =>
      !meta?.followsBoard || state.status === 'error';
    void queryClient.refetchQueries(
      { type: 'active', predicate: isStale },
      { cancelRefetch: false },
    );
  }, Math.random() * RECONNECT_SPREAD_MS);
});
// An answer belongs to the caller it was given to. Only what is still on the screen after signing in or out is loaded for the new one.
watchCaller(() => {
  queryClient.removeQueries({ type: 'inactive' });
  const active = queryClient
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ meta }) => !meta?.hasOwnKey });
  for (const query of active) query.reset();
  const wasReset = new Set(active);
  // Excludes queries that started to load meanwhile.
  setTimeout(() => {
    void queryClient.refetchQueries(
      { type: 'active', predicate: (query) => wasReset.has(query) },
      { cancelRefetch: false },
    );
  });
});

/**
 * Reads something from the server.
 * @param options.queryKey the call's name, then its arguments: `['statistics', query]`; never a secret
 * @param options.queryFn passes its `signal` to the call
 */
export function useServerQuery<T, Data = T, Key extends QueryKey = QueryKey>(
  options: UseQueryOptions<T, DefaultError, Data, Key>,
): UseQueryResult<Data> {
  return useQuery(options, queryClient);
}

/**
 * Reads something from the server whose key changes, such as a period: the last answer stays until the next arrives, and when that
 * fails. An answer to another caller never does.
 */
export function useServerQueryKeepingLast<T>(
  options: UseQueryOptions<T>,
): Pick<UseQueryResult<T>, 'isFetching' | 'error' | 'refetch'> & { data: T | undefined } {
  const { data, isFetching, error, refetch } = useServerQuery(options);
  const [last, setLast] = useState<T>();
  useEffect(() => watchCaller(() => setLast(undefined)), []);
  if (data !== undefined && data !== last) setLast(data);
  return { data: data ?? last, isFetching, error, refetch };
}

/** Reads several things of a kind at once; see `useServerQuery`. */
export function useServerQueries<T>(queries: readonly UseQueryOptions<T>[]): UseQueryResult<T>[] {
  return useQueries({ queries }, queryClient);
}

/** A value once it has not changed for a while, so that the server isn't asked for each keystroke. @param first until then; by default the value */
export function useSettled<T>(value: T, ms: number, first = value): T {
  const [settledValue, setSettled] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settledValue;
}

/** Loads a query again after a write that changes its answer, with whatever arguments it was read. */
export const refreshQuery = (name: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [name] });

/**
 * Replaces a cached answer with the result of a write.
 * @param change the new answer, or how it follows from the cached one
 */
export async function replaceAnswer<T>(
  queryKey: QueryKey,
  change: T | ((before: T | undefined) => T | undefined),
): Promise<void> {
  // A read that began before the write would undo it.
  await queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData<T>(queryKey, change);
}

/** A character's notification preferences, which two pages read. */
export const pushPreferences = ({
  characterName,
  accessKey,
}: {
  characterName: string;
  accessKey: string;
}): UseQueryOptions<PushPreferences> => ({
  queryKey: ['push preferences', characterName],
  queryFn: ({ signal }) => getPushPreferences(accessKey, signal),
  meta: { hasOwnKey: true },
  gcTime: 0,
});

/** A character's link to Discord, which the dialog and the notifications page read. */
export const discordLink = ({
  characterName,
  accessKey,
}: {
  characterName: string;
  accessKey: string;
}): UseQueryOptions<DiscordLinkState> & { queryKey: QueryKey } => ({
  queryKey: ['discord link', characterName],
  queryFn: ({ signal }) => getDiscordLink(accessKey, signal),
  meta: { hasOwnKey: true },
  gcTime: 0,
});

const PAGE_SIZE = 100;
const FIRST_PAGE: number | null = null;

export interface ServerPage<T> {
  records: readonly T[];
  /** How many records there are on the server; null where the answer doesn't say. */
  total: number | null;
}

export interface ServerPages<T, Page = ServerPage<T>> {
  /** `failed`: the first load, a refresh or the next page; what was loaded before stays. */
  status: 'loading' | 'ready' | 'failed';
  error: unknown;
  pages: readonly Page[];
  records: readonly T[];
  total: number;
  /** Distinct ids among the records: the parts of a split claim share one. */
  count: number;
  hasMore: boolean;
  /** The next page failed, not the list itself. */
  hasNextFailed: boolean;
  isReading: boolean;
  /** Reads the next page; after a failure it repeats what failed. */
  load: () => Promise<unknown>;
  /** Reads the loaded pages again, unless a read is under way. */
  reload: () => Promise<unknown>;
}

/**
 * Reads a list newest first, page by page; each page begins below the lowest id that is known, so new records don't shift it. A list
 * that was left starts at its first page again.
 * @param options.queryKey see `useServerQuery`
 */
export function useServerPages<T extends { id: number }, Page extends ServerPage<T>>({
  queryKey,
  read,
  enabled = true,
  meta,
}: {
  queryKey: QueryKey;
  read: (page: PageQuery, signal: AbortSignal) => Promise<Page & ServerPage<T>>;
  enabled?: boolean;
  meta?: QueryMeta;
}): ServerPages<T, Page> {
  const query = useInfiniteQuery(
    {
      queryKey,
      queryFn: ({ pageParam, signal }) =>
        read({ limit: PAGE_SIZE, ...(pageParam !== null && { before: pageParam }) }, signal),
      initialPageParam: FIRST_PAGE,
      getNextPageParam: (last, pages) =>
        last.records.length > 0 && idsIn(pages).size < totalOf(pages) ? lowestId(pages) : null,
      gcTime: 0,
      enabled,
      ...(meta && { meta }),
    },
    queryClient,
  );
  const { data, error, isFetching, isFetchNextPageError } = query;
  const pages = data?.pages ?? [];
  const isLoading =
    query.isFetchingNextPage || (isFetching && (!data || error !== null)) || query.isPending;
  return {
    status: isLoading ? 'loading' : error ? 'failed' : 'ready',
    error,
    pages,
    records: pages.flatMap(({ records }) => records),
    total: totalOf(pages),
    count: idsIn(pages).size,
    hasMore: query.hasNextPage,
    hasNextFailed: isFetchNextPageError,
    isReading: isFetching,
    reload: () => query.refetch({ cancelRefetch: false }),
    load: () =>
      data && (!error || isFetchNextPageError) ? query.fetchNextPage() : query.refetch(),
  };
}

/** Replaces the loaded pages of a list, for changes that arrive live. */
export function keepPages<Page>(queryKey: QueryKey, pages: Page[]): void {
  queryClient.setQueryData<InfiniteData<Page>>(queryKey, {
    pages,
    pageParams: pages.map(() => FIRST_PAGE),
  });
}

type IdPages = readonly ServerPage<{ id: number }>[];
const idsIn = (pages: IdPages): Set<number> =>
  new Set(pages.flatMap(({ records }) => records.map(({ id }) => id)));
const lowestId = (pages: IdPages): number => Math.min(...idsIn(pages));
/** As the newest answer that says it. */
const totalOf = (pages: IdPages): number =>
  pages.findLast(({ total }) => total !== null)?.total ?? 0;
