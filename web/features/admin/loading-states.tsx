// What a card of the admin page shows when its data failed to load, is loading, or is empty.
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { troubleOf } from '../../model/api-error.ts'
import { common } from '../../texts/messages.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'

type ListState = Pick<UseInfiniteQueryResult, 'isPending' | 'isPlaceholderData' | 'isSuccess'>

/** Rows of the previous query, shown until those of a new one arrive, count as loading. */
export function loadingStateOf(list: ListState): { isLoading: boolean; isReady: boolean } {
  const isLoading = list.isPending || list.isPlaceholderData
  return { isLoading, isReady: list.isSuccess && !isLoading }
}

interface FallbackProps {
  list: ListState & Pick<UseInfiniteQueryResult, 'isError' | 'isFetchNextPageError' | 'error' | 'refetch'>
  isEmpty: boolean
  /** The failure's text. */
  failed: string
  skeletons: ReactNode
  /** Shown when the list is empty. */
  children: ReactNode
}

/** In place of the rows of a list, or above rows that failed to reload. */
export function ListFallback({ list, isEmpty, failed, skeletons, children }: FallbackProps) {
  const { isLoading, isReady } = loadingStateOf(list)
  return (
    <>
      {list.isError && !list.isFetchNextPageError && (
        <LoadFailure title={failed} {...troubleOf(list.error)} onRetry={list.refetch} isBar={!isEmpty} />
      )}
      {isEmpty && isLoading && skeletons}
      {isEmpty && isReady && children}
    </>
  )
}

/** As high as the content that replaces them. */
export function Skeletons({ count, className }: { count: number; className: string }) {
  return (
    <>
      <span role="status" className="sr-only">
        {common.loading}
      </span>
      {Array.from({ length: count }, (_, at) => (
        <div key={at} className={`skeleton ${className}`} aria-hidden />
      ))}
    </>
  )
}

export function EmptyState({
  icon,
  title,
  text,
  children,
}: {
  icon: ReactNode
  title: string
  text?: string
  children?: ReactNode
}) {
  return (
    <div className="card admin-nothing">
      <span className="mb-3 grid size-14 place-items-center rounded-full bg-accent-soft text-accent-text">{icon}</span>
      <p className="text-h3">{title}</p>
      {text !== undefined && <p className="max-w-[44ch] text-dense text-text-2">{text}</p>}
      {children}
    </div>
  )
}
