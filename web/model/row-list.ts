// The rows of a query, loaded at once or page by page, as ui/list-panel/ shows them.
import {
  infiniteQueryOptions,
  keepPreviousData,
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { List } from '../../contract/derive/client.ts'
import { troubleOf } from './api-error.ts'
import { queryClient } from './query-client.ts'

export type Pages<Row> = InfiniteData<List<Row>>

/** A list that is loaded page by page. While another query loads, the rows of the previous one stay. */
export const pagedList = <Row>(queryKey: QueryKey, load: (cursor: string | undefined) => Promise<List<Row>>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: cursor }) => load(cursor),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: List<Row>) => next,
    placeholderData: keepPreviousData,
    select: mergePages<Row>,
  })

/** The rows of the loaded pages, and how many there are on all pages. */
export const mergePages = <Row>({ pages }: Pages<Row>): { rows: Row[]; total: number } => ({
  rows: pages.flatMap(({ items }) => items),
  total: pages.at(-1)?.total ?? 0,
})

export const mapPages = <Row>(list: Pages<Row>, change: (page: List<Row>) => List<Row>): Pages<Row> => ({
  ...list,
  pages: list.pages.map(change),
})

/** Also lowers the total. A list without such rows stays the same. */
export function withoutRows<Row>(list: Pages<Row>, isRemoved: (row: Row) => boolean): Pages<Row> {
  const removed = mergePages(list).rows.filter(isRemoved).length
  if (removed === 0) return list
  return mapPages(list, ({ items, total, next }) => ({
    items: items.filter((row) => !isRemoved(row)),
    total: Math.max(0, total - removed),
    next,
  }))
}

/** Always the same array: rows that depend on it are not rendered again. */
const none: never[] = []

/** A list that is loaded at once. */
export function useRows<Row, Key extends QueryKey>(options: UseQueryOptions<Row[], Error, Row[], Key>) {
  const query = useQuery(options, queryClient)
  return { ...loadStateOf(query), rows: query.data ?? none, total: query.data?.length ?? 0 }
}

/** A `pagedList`. */
export function usePages<Row>(options: ReturnType<typeof pagedList<Row>>) {
  const query = useInfiniteQuery(options, queryClient)
  const { data, isFetchNextPageError } = query
  const state = loadStateOf(query)
  return {
    ...state,
    rows: data?.rows ?? none,
    total: data?.total ?? 0,
    trouble: isFetchNextPageError ? undefined : state.trouble,
    nextPage: {
      exists: query.hasNextPage,
      isLoading: query.isFetchingNextPage,
      /** Loading it would interrupt another request of the list. */
      isBlocked: query.isFetching,
      trouble: isFetchNextPageError ? state.trouble : undefined,
      load: async () => !(await query.fetchNextPage()).isError,
    },
  }
}

type LoadState = Pick<UseQueryResult, 'isPending' | 'isPlaceholderData' | 'isSuccess' | 'isError' | 'error' | 'refetch'>

function loadStateOf({ isPending, isPlaceholderData, isSuccess, isError, error, refetch }: LoadState) {
  // Rows of the previous query, shown until those of a new one arrive, count as loading.
  const isLoading = isPending || isPlaceholderData
  return {
    isLoading,
    isReady: isSuccess && !isLoading,
    trouble: isError ? troubleOf(error) : undefined,
    error,
    reload: refetch,
  }
}
