import { useCallback, useRef } from 'react'
import { area } from '../../../texts/upload-messages.ts'
import { isSystemFile } from './files-of.ts'

interface Props {
  className: string
  onFiles: (files: readonly File[]) => void
}

/** Hidden on phones, whose browsers cannot choose folders. */
export function FolderButton({ className, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const init = useCallback((element: HTMLInputElement | null) => {
    input.current = element
    // The types of React have no such property.
    element?.setAttribute('webkitdirectory', '')
  }, [])
  if (!('webkitdirectory' in HTMLInputElement.prototype)) return null
  return (
    <span className="contents coarse:hidden">
      <button type="button" className={className} onClick={() => input.current?.click()}>
        {area.chooseFolder}
      </button>
      <input
        ref={init}
        type="file"
        hidden
        onChange={({ target }) => {
          const files = [...(target.files ?? [])].filter(({ name }) => !isSystemFile(name))
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </span>
  )
}
