import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { pagination as text } from '../../../texts/database-view/database-table-messages.ts'
import { pageItems, parsePage } from './page-numbers.ts'

interface Props {
  page: number
  total: number
  onPage: (page: number) => void
}

/** Renders nothing for one page or fewer. */
export function Pagination({ page, total, onPage }: Props) {
  const items = pageItems(page, total)
  if (items.length === 0) return null
  // aria-disabled instead of disabled: a disabled button would lose the focus on the last page.
  const step = (to: number, label: string) => ({
    className: 'btn-icon dt-step',
    'aria-label': label,
    'aria-disabled': to < 1 || to > total,
    onClick: () => to >= 1 && to <= total && onPage(to),
  })
  return (
    <div className="dt-pages">
      <nav aria-label={text.label} className="flex flex-wrap items-center justify-center gap-1">
        <button type="button" {...step(page - 1, text.previous)}>
          <ChevronLeft className="size-4" aria-hidden />
        </button>
        {items.map((item, at) =>
          item === 'gap' ? (
            <span key={`gap ${at}`} className="px-1 text-text-3" aria-hidden>
              …
            </span>
          ) : (
            <button
              key={item}
              type="button"
              className="dt-page"
              aria-label={text.page(item)}
              aria-current={item === page ? 'page' : undefined}
              onClick={() => onPage(item)}
            >
              {text.number(item)}
            </button>
          ),
        )}
        <button type="button" {...step(page + 1, text.next)}>
          <ChevronRight className="size-4" aria-hidden />
        </button>
      </nav>
      {items.includes('gap') && <Jump page={page} total={total} onPage={onPage} />}
    </div>
  )
}

/** Jumps to a typed page. Input that is not a number is ignored. */
function Jump({ page, total, onPage }: Props) {
  const [typed, setTyped] = useState<string>()
  const leave = () => setTyped(undefined)
  return (
    <form
      className="flex items-center gap-2 text-meta text-text-2 tabular-nums"
      onSubmit={(event) => {
        event.preventDefault()
        const to = parsePage(typed ?? '', total)
        leave()
        if (to !== undefined && to !== page) onPage(to)
      }}
    >
      <label className="flex items-center gap-2">
        {text.jump}
        <input
          className="field dt-jump"
          inputMode="numeric"
          enterKeyHint="go"
          autoComplete="off"
          maxLength={12}
          value={typed ?? String(page)}
          onChange={(event) => setTyped(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={leave}
        />
      </label>
      {text.of(total)}
    </form>
  )
}
