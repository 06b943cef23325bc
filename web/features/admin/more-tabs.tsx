import { ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'

/** Shows an arrow while the row of tabs in it goes on to the right, as on a phone. Keys and fingers scroll without it. */
export function MoreTabs({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  const [isMore, setMore] = useState(false)
  useEffect(() => {
    const row = frame.current?.querySelector('[role=tablist]')
    if (!row) return
    const look = () => setMore(row.scrollLeft + row.clientWidth < row.scrollWidth - 8)
    const resized = new ResizeObserver(look)
    resized.observe(row)
    for (const tab of row.children) resized.observe(tab)
    row.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      row.removeEventListener('scroll', look)
    }
  }, [])
  const scroll = () => {
    const row = frame.current?.querySelector('[role=tablist]')
    row?.scrollBy({ left: row.clientWidth * 0.7, behavior: 'smooth' })
  }
  return (
    <div ref={frame} className="admin-tabs">
      {children}
      {isMore && (
        <button type="button" className="admin-more" aria-hidden tabIndex={-1} onClick={scroll}>
          <ChevronRight className="size-5" />
        </button>
      )}
    </div>
  )
}
