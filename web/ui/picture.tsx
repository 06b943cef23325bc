import { FileImage } from 'lucide-react'
import { useState } from 'react'

interface Props {
  /** Tried in order: the next one when one fails to load. A file icon when all have. */
  sources: readonly string[]
  alt: string
  className?: string
  width?: number
  height?: number
}

export function Picture({ sources, alt, className, width, height }: Props) {
  const [failures, setFailures] = useState(0)
  const source = sources[failures]
  if (source === undefined) {
    return (
      <span role="img" aria-label={alt} className={`grid place-items-center ${className ?? ''}`}>
        <FileImage className="size-8 text-text-3" aria-hidden />
      </span>
    )
  }
  return (
    <img
      src={source}
      alt={alt}
      className={className}
      // 0 is what an entry of the browser's storage says when it does not know.
      width={width || undefined}
      height={height || undefined}
      loading="lazy"
      decoding="async"
      onError={() => setFailures(failures + 1)}
    />
  )
}
