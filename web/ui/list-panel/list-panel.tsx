import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { LoadFailure, type Trouble } from '../load-failure.tsx'
import { EmptyList } from './empty-list.tsx'
import { MoreRows, type NextPage } from './more-rows.tsx'
import { focusRow } from './row-focus.ts'
import { Skeletons } from './skeletons.tsx'
import '../../styles/lists.css'

/** The rows of a query; model/row-list.ts derives it. */
interface RowList {
  rows: readonly unknown[]
  /** Of all pages. */
  total: number
  isLoading: boolean
  /** Whether the rows are those of the query on screen. */
  isReady: boolean
  /** Why the rows, or newer ones, could not be loaded. */
  trouble: Trouble | undefined
  reload: () => unknown
  /** Of a list that is loaded page by page. */
  nextPage?: NextPage
}

interface Props {
  /** The element id of the title. */
  id: string
  icon: LucideIcon
  texts: {
    title: string
    /** Below the title. */
    text?: string
    /** Beside the title. */
    count?: (total: number) => string
    failed: string
    moreFailed?: string
    /** In place of the rows of an empty list. */
    noneYet?: string
    noneYetText?: string
    /** The same of a filtered list. */
    searchLabel?: string
    found?: (total: number) => string
    none?: string
    clear?: string
  }
  list: RowList
  className?: string
  /** The page has the title, in the element with the id. */
  isUntitled?: boolean
  /** At the end of the head: what acts on the whole list. */
  action?: ReactNode
  filters?: ReactNode
  /** Clears the filters; undefined while none is set. */
  onClear?: (() => void) | undefined
  /** The result of the last action. */
  outcome?: string
  /** Shown whether or not there are rows. */
  notice?: ReactNode
  skeletons?: ReactNode
  /** Below the text of an empty list: what leads to its first row. */
  first?: ReactNode
  /** In place of the button that loads the next page. */
  more?: ReactNode
  /** Selects what gets the focus in the first row of a new page. */
  rowHead?: string
  /** The rows. */
  children: ReactNode
}

/** A list with its title, number of rows, filters and all its states. */
export function ListPanel(props: Props) {
  const { id, icon, texts, list, className, filters, onClear, outcome, notice, first, more, children } = props
  const { skeletons = <Skeletons count={3} className="h-13" /> } = props
  const { rows, total, isLoading, isReady, trouble, reload, nextPage } = list
  const count = onClear && texts.found ? texts.found : texts.count
  const isEmpty = rows.length === 0
  return (
    <section className={clsx('list-panel', className)} aria-labelledby={id} aria-busy={isLoading}>
      <Head {...props} count={count} />
      {filters !== undefined && (
        <search aria-label={texts.searchLabel} className="list-filters">
          {filters}
        </search>
      )}
      <p role="status" className="text-dense font-medium text-success-text wrap-anywhere empty:hidden">
        {outcome}
      </p>
      {notice}
      {trouble !== undefined && <LoadFailure title={texts.failed} {...trouble} onRetry={reload} isBar={!isEmpty} />}
      {isEmpty && isLoading && skeletons}
      {isEmpty && isReady && <Empty icon={icon} texts={texts} first={first} onClear={onClear} />}
      {!isEmpty && children}
      {more ??
        (nextPage && (
          <MoreRows
            page={nextPage}
            failed={texts.moreFailed ?? texts.failed}
            shown={rows.length}
            total={count && total}
            onMore={() => focusRow(id, rows.length, props.rowHead)}
          />
        ))}
    </section>
  )
}

function Head(props: Props & { count: ((total: number) => string) | undefined }) {
  const { id, texts, list, isUntitled = false, action, onClear, count } = props
  const number = count !== undefined && (
    <p role="status" className="list-number text-dense text-text-2 tabular-nums">
      {list.isReady && (list.total > 0 || onClear !== undefined) && count(list.total)}
    </p>
  )
  return (
    <div className="list-head">
      <div className="min-w-0">
        {!isUntitled && (
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h2 id={id} tabIndex={-1} className="text-h2">
              {texts.title}
            </h2>
            {number}
          </div>
        )}
        {texts.text !== undefined && <p className="mt-1 max-w-[68ch] text-dense text-text-2">{texts.text}</p>}
        {/* Below the text of the page, where a title has it beside it. */}
        {isUntitled && number}
      </div>
      {action}
    </div>
  )
}

function Empty({ icon, texts, first, onClear }: Pick<Props, 'icon' | 'texts' | 'first' | 'onClear'>) {
  if (onClear === undefined)
    return (
      <EmptyList icon={icon} title={texts.noneYet ?? texts.none} text={texts.noneYetText}>
        {first}
      </EmptyList>
    )
  return (
    <EmptyList icon={icon} title={texts.none}>
      <button type="button" className="btn btn-quiet mt-4" onClick={onClear}>
        {texts.clear}
      </button>
    </EmptyList>
  )
}
