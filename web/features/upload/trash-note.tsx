import { trashDays } from '../../model/site.ts'
import { trashPath } from '../../model/trash-path.ts'
import { trash } from '../../texts/trash-messages.ts'
import { trashCounts } from '../../texts/upload-messages.ts'
import { Link } from '../../ui/link.tsx'
import type { UploadItem } from './engine/upload-state.ts'
import { quotaExceeded } from './engine/wait-or-give-up.ts'

/** Where a user makes room whose storage is full. */
export function TrashNote({ items }: { items: readonly UploadItem[] }) {
  if (trashDays === 0 || !items.some(({ stage, problem }) => stage === 'failed' && problem?.code === quotaExceeded))
    return null
  return (
    <span className="block text-meta text-text-2">
      {trashCounts}{' '}
      <Link to={trashPath} className="link">
        {trash.title}
      </Link>
    </span>
  )
}
