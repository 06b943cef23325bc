import { FileImage } from 'lucide-react'
import { useSource } from './use-source.ts'

interface Props {
  /** Sources in order: each is used when the previous one fails to load. After the last, a file icon is shown (use-source.ts). */
  sources: readonly string[]
  alt: string
  className?: string
  width?: number
  height?: number
}

export function ImageWithFallback({ sources, alt, className, width, height }: Props) {
  const { source, onError, insteadRef } = useSource(sources)
  if (source === undefined) {
    return (
      <span ref={insteadRef} role="img" aria-label={alt} className={`grid place-items-center ${className ?? ''}`}>
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
      onError={onError}
    />
  )
}
