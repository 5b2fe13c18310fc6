import {
  type DefaultError,
  QueryClient,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { onReconnect } from '../lib/reconnect.ts';
import { watchCredentials } from './request.ts';

/**
 * Server state that is not the board: loaded, paged, kept and refreshed here. Only lazily loaded parts import this file: the board's
 * first load does without the library, and without a provider around the page.
 *
 * A failure is shown at once with a way to retry, so nothing is retried by itself but on reconnect. What a person left is shown again
 * while it is refreshed.
 */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false, refetchOnReconnect: false } },
});

onReconnect(() => void queryClient.refetchQueries({ type: 'active' }));
// An answer belongs to the caller it was given to.
watchCredentials(() => {
  queryClient.removeQueries({ type: 'inactive' });
  void queryClient.resetQueries({ type: 'active' });
});

/**
 * Reads something from the server.
 * @param options.queryKey the call's name, then its arguments: `['statistics', query]`
 * @param options.queryFn passes its `signal` to the call
 */
export function useServerQuery<T, Data = T, Key extends QueryKey = QueryKey>(
  options: UseQueryOptions<T, DefaultError, Data, Key>,
): UseQueryResult<Data> {
  return useQuery(options, queryClient);
}

/** Reads a list page by page; see `useServerQuery`. */
export function useServerPages<T, Data, Key extends QueryKey, Param>(
  options: UseInfiniteQueryOptions<T, DefaultError, Data, Key, Param>,
): UseInfiniteQueryResult<Data> {
  return useInfiniteQuery(options, queryClient);
}
