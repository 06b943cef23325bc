// The categories in one scrollable row, each of which leads to its endpoints.
import {
  ChevronLeft,
  ChevronRight,
  Database,
  Images,
  FolderOpen,
  KeyRound,
  LayoutGrid,
  Plug,
  UserRound,
  Webhook,
} from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { docs } from '../../../texts/docs-messages.ts'
import { categories, type Category } from '../docs-address.ts'

const icons = {
  all: LayoutGrid,
  auth: UserRound,
  database: Database,
  images: Images,
  albums: FolderOpen,
  'api-keys': KeyRound,
  webhooks: Webhook,
  compatibility: Plug,
}

interface Props {
  counts: Record<Category, number>
  onPress: (category: Category) => void
}

export function CategoryStrip({ counts, onPress }: Props) {
  const row = useRef<HTMLDivElement>(null)
  const { isScrollable, isAtStart, isAtEnd } = useEnds(row)

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const chips = [...event.currentTarget.querySelectorAll('button')]
    const at = chips.findIndex((chip) => chip === document.activeElement)
    chips[(at + step + chips.length) % chips.length]?.focus()
  }
  const scroll = (direction: number) =>
    row.current?.scrollBy({ left: direction * row.current.clientWidth * 0.7, behavior: 'smooth' })

  return (
    <div className="docs-strip">
      {isScrollable && (
        <button type="button" className="btn-icon" disabled={isAtStart} onClick={() => scroll(-1)}>
          <ChevronLeft className="size-5" aria-hidden />
          <span className="sr-only">{docs.scrollLeft}</span>
        </button>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows are a second way; each chip has its own stop */}
      <div ref={row} role="group" aria-label={docs.strip} className="docs-chips" onKeyDown={onKeyDown}>
        {categories.map((category) => {
          const Icon = icons[category]
          return (
            <button key={category} type="button" className="docs-chip" onClick={() => onPress(category)}>
              <Icon className="size-4" aria-hidden />
              {docs.categories[category]}
              <span className="docs-count">{counts[category]}</span>
            </button>
          )
        })}
      </div>
      {isScrollable && (
        <button type="button" className="btn-icon" disabled={isAtEnd} onClick={() => scroll(1)}>
          <ChevronRight className="size-5" aria-hidden />
          <span className="sr-only">{docs.scrollRight}</span>
        </button>
      )}
    </div>
  )
}

/** On which sides the row has content outside the visible part. */
function useEnds(row: RefObject<HTMLElement | null>) {
  const [ends, setEnds] = useState({ isScrollable: false, isAtStart: true, isAtEnd: true })
  useEffect(() => {
    const element = row.current
    if (element === null) return
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      const [first, last] = [element.firstElementChild, element.lastElementChild].map((chip) =>
        chip?.getBoundingClientRect(),
      )
      // Measured on the whole strip: the buttons take space themselves, so a row that just fits without them would toggle forever.
      const room = element.parentElement?.clientWidth ?? clientWidth
      const isScrollable = (last?.right ?? 0) - (first?.left ?? 0) > room
      const isAtEnd = scrollLeft + clientWidth >= scrollWidth - 1
      setEnds((before) => {
        const now = { isScrollable, isAtStart: scrollLeft <= 1, isAtEnd }
        const isSame = before.isScrollable === isScrollable && before.isAtStart === now.isAtStart
        return isSame && before.isAtEnd === isAtEnd ? before : now
      })
    }
    const watch = new ResizeObserver(look)
    watch.observe(element)
    for (const chip of element.children) watch.observe(chip)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [row])
  return ends
}
