import { Trash2 } from 'lucide-react'
import { memo } from 'react'
import { Link, useLocation } from 'wouter'
import { database } from '../../notify/database-messages.ts'
import { searchOf } from './address.ts'
import { collectionIcon } from './collection-icon.ts'

interface Props {
  name: string
  isSelected: boolean
  /** Where Tab comes in. */
  isStop: boolean
  canDelete: boolean
  onFocus: (name: string) => void
  onDelete: (name: string) => void
}

export const CollectionRow = memo(function CollectionRow({ name, isSelected, isStop, canDelete, ...rest }: Props) {
  const [path] = useLocation()
  const Icon = collectionIcon(name)
  const tabIndex = isStop ? 0 : -1
  return (
    <li className="db-collection" onFocus={() => rest.onFocus(name)}>
      <Link
        to={path + searchOf({ collection: name, page: 1, documentId: undefined })}
        replace={isSelected}
        className="db-collection-link"
        aria-current={isSelected ? 'true' : undefined}
        tabIndex={tabIndex}
      >
        <Icon className="size-4.5 shrink-0" aria-hidden />
        <bdi className="truncate" title={name}>
          {name}
        </bdi>
      </Link>
      {canDelete && (
        <button
          type="button"
          className="btn-icon btn-icon-sm btn-icon-danger db-collection-delete"
          aria-label={database.deleteNamed(name)}
          tabIndex={tabIndex}
          onClick={() => rest.onDelete(name)}
        >
          <Trash2 className="size-4" aria-hidden />
        </button>
      )}
    </li>
  )
})
