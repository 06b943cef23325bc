import { FileImage } from 'lucide-react'
import { useState } from 'react'

interface Props {
  /** Sources in order: each is used when the previous one fails to load. After the last, a file icon is shown. */
  sources: readonly string[]
  alt: string
  className?: string
  width?: number
  height?: number
}

export function ImageWithFallback({ sources, alt, className, width, height }: Props) {
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
      // Entries of the browser's storage have 0 for an unknown size.
      width={width || undefined}
      height={height || undefined}
      loading="lazy"
      decoding="async"
      onError={() => setFailures(failures + 1)}
    />
  )
}
