import { useEffect, useState } from 'react'
import { dropZone } from '../../texts/messages.ts'
import { Picture } from '../../ui/picture.tsx'

/** The file itself, small. */
export function FilePreview({ file }: { file: File }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])

  const className = 'size-11 shrink-0 overflow-clip rounded-tile bg-surface-2 object-cover'
  if (address === undefined) return <span className={className} />
  return <Picture key={address} className={className} sources={[address]} alt={dropZone.preview(file.name)} />
}
