import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Check, FileImage, Trash2, Undo2 } from 'lucide-react'
import type { TrashedImage } from '../../../contract/endpoints/trash.ts'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { placeholderOf, shownName } from '../../model/images/stored-image.ts'
import { trashedPreview } from '../../model/images/trash.ts'
import { queryClient } from '../../model/query-client.ts'
import { trash } from '../../texts/trash-messages.ts'
import { SmallButton } from '../../ui/small-button.tsx'
import { useObjectUrl } from '../../ui/use-object-url.ts'

interface Props {
  image: TrashedImage
  /** Milliseconds since 1970, in whole minutes. */
  nowMs: number
  isSelected: boolean
  isBusy: boolean
  onSelect: () => void
  onRestore: () => void
  onDelete: () => void
}

/** A deleted image with the days that are left for it. The picture is the label of its check box. */
export function TrashTile({ image, nowMs, isSelected, isBusy, onSelect, onRestore, onDelete }: Props) {
  const name = shownName(image)
  const left = Math.ceil((Date.parse(image.restorable_until) - nowMs) / dayMs)
  return (
    <li className="card trash-tile" data-id={image.id} data-selected={isSelected || undefined}>
      <label className="trash-picture" style={placeholderOf(image)}>
        <Picture image={image} />
        <span className="select-box top-2 left-2">
          <input type="checkbox" aria-label={trash.select(name)} checked={isSelected} onChange={onSelect} />
          {isSelected && <Check className="select-mark" strokeWidth={3} aria-hidden />}
        </span>
      </label>
      <div className="trash-facts">
        <p className="truncate font-medium" title={name}>
          {name}
        </p>
        <p className="flex flex-wrap gap-x-2 text-meta text-text-2 tabular-nums">
          <span className={clsx(left <= 1 && 'font-medium text-danger-text')}>{trash.daysLeft(left)}</span>
          <span>{formatBytes(image.size)}</span>
        </p>
      </div>
      <div className="trash-actions">
        <SmallButton
          icon={Undo2}
          text={trash.restore}
          name={trash.restoreNamed(name)}
          isOff={isBusy}
          onPress={onRestore}
        />
        <button
          type="button"
          className="btn-icon btn-icon-sm btn-icon-danger"
          aria-label={trash.deleteNamed(name)}
          disabled={isBusy}
          onClick={onDelete}
        >
          <Trash2 className="size-4" aria-hidden />
        </button>
      </div>
    </li>
  )
}

function Picture({ image }: Pick<Props, 'image'>) {
  const { data, isError } = useQuery(trashedPreview(image), queryClient)
  const url = useObjectUrl(data)
  if (isError) return <FileImage aria-hidden />
  return url === undefined ? null : <img src={url} alt="" decoding="async" draggable={false} />
}
