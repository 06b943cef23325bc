import {
  Trash2,
  Car,
  CircleQuestionMark,
  Database,
  Factory,
  Folders,
  MapPin,
  Palette,
  SlidersHorizontal,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { createElement, memo, type MouseEvent } from 'react'
import { database } from '../../../texts/database-view/database-messages.ts'

interface Props {
  name: string
  href: string
  isSelected: boolean
  /** The tab stop of the list. */
  isStop: boolean
  canDelete: boolean
  onOpen: (name: string) => void
  onFocus: (name: string) => void
  onDelete: (name: string) => void
}

/** Does not subscribe to the address: a list can have hundreds of rows. */
export const CollectionRow = memo(function CollectionRow(props: Props) {
  const { name, href, isSelected, isStop, canDelete, ...rest } = props
  const tabIndex = isStop ? 0 : -1
  return (
    <li className="db-collection">
      <a
        href={href}
        className="db-collection-link"
        aria-current={isSelected ? 'true' : undefined}
        tabIndex={tabIndex}
        onFocus={() => rest.onFocus(name)}
        onClick={(event) => {
          if (!isPlain(event)) return
          event.preventDefault()
          rest.onOpen(name)
        }}
      >
        {createElement(collectionIcon(name), { className: 'size-4.5 shrink-0', 'aria-hidden': true })}
        <bdi className="truncate" title={name}>
          {name}
        </bdi>
      </a>
      {canDelete && (
        <button
          type="button"
          className="btn-icon btn-icon-sm btn-icon-danger db-collection-delete"
          aria-label={database.deleteNamed(name)}
          tabIndex={tabIndex}
          onFocus={() => rest.onFocus(name)}
          onClick={() => rest.onDelete(name)}
        >
          <Trash2 className="size-4" aria-hidden />
        </button>
      )}
    </li>
  )
})

/** False for clicks that open another tab or window. */
const isPlain = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent) =>
  button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey

const icons = new Map<string, LucideIcon>([
  ['trims', SlidersHorizontal],
  ['destinations', MapPin],
  ['makes', Factory],
  ['models', Car],
  ['faqs', CircleQuestionMark],
  ['faqcategories', Folders],
  ['users', Users],
  ['styles', Palette],
])

const collectionIcon = (name: string) => icons.get(name) ?? Database
