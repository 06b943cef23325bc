import { dropZone } from '../../texts/messages.ts'
import { ImageWithFallback } from '../../ui/sourced-image.tsx'
import { useObjectUrl } from '../../ui/use-object-url.ts'

interface Props {
  file: File
  /** Instead of a file that this visit does not have. */
  source?: string | undefined
  size?: string
}

/** A small preview of a file that is or will be uploaded. */
export function FilePreview({ file, source, size = 'size-11' }: Props) {
  const ofFile = useObjectUrl(file)
  const url = source ?? ofFile
  const className = `${size} shrink-0 overflow-clip rounded-tile bg-surface-2 object-cover`
  if (url === undefined) return <span className={className} />
  return <ImageWithFallback key={url} className={className} sources={[url]} alt={dropZone.preview(file.name)} />
}
