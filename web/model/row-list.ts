// The rows of a query, loaded at once or page by page, as ui/list-panel/ shows them.
import {
  infiniteQueryOptions,
  keepPreviousData,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { List } from '../../contract/derive/client.ts'
import { troubleOf } from './api-error.ts'

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

type LoadState = Pick<UseQueryResult, 'isPending' | 'isPlaceholderData' | 'isSuccess' | 'isError' | 'error' | 'refetch'>
type PageState = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>

/** Always the same array: rows that depend on it are not rendered again. */
const none: never[] = []

/** Of a list that is loaded at once. */
export const rowsOf = <Row>(query: LoadState & { data: Row[] | undefined }) => ({
  ...loadStateOf(query),
  rows: query.data ?? none,
  total: query.data?.length ?? 0,
})

/** Of a `pagedList`. */
export function pagesOf<Row>(query: LoadState & PageState & { data: { rows: Row[]; total: number } | undefined }) {
  const { isFetchNextPageError, error } = query
  const state = loadStateOf(query)
  return {
    ...state,
    rows: query.data?.rows ?? none,
    total: query.data?.total ?? 0,
    trouble: isFetchNextPageError ? undefined : state.trouble,
    nextPage: {
      exists: query.hasNextPage,
      isLoading: query.isFetchingNextPage,
      trouble: isFetchNextPageError ? troubleOf(error) : undefined,
      load: async () => !(await query.fetchNextPage()).isError,
    },
  }
}

function loadStateOf({ isPending, isPlaceholderData, isSuccess, isError, error, refetch }: LoadState) {
  // Rows of the previous query, shown until those of a new one arrive, count as loading.
  const isLoading = isPending || isPlaceholderData
  return {
    isLoading,
    isReady: isSuccess && !isLoading,
    trouble: isError ? troubleOf(error) : undefined,
    reload: refetch,
  }
}
