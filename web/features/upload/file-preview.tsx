import { dropZone } from '../../texts/messages.ts'
import { Picture } from '../../ui/picture.tsx'
import { useObjectUrl } from '../../ui/use-object-url.ts'

/** A small preview of a file that is being uploaded. */
export function FilePreview({ file }: { file: File }) {
  const url = useObjectUrl(file)
  const className = 'size-11 shrink-0 overflow-clip rounded-tile bg-surface-2 object-cover'
  if (url === undefined) return <span className={className} />
  return <Picture key={url} className={className} sources={[url]} alt={dropZone.preview(file.name)} />
}
