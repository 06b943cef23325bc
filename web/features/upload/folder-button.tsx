import { useCallback, useRef } from 'react'
import { area } from '../../texts/upload-messages.ts'
import { isClutter } from './files-of.ts'

interface Props {
  className: string
  onFiles: (files: readonly File[]) => void
}

/** Not on phones, whose browsers have no folders to show. */
export function FolderButton({ className, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const init = useCallback((element: HTMLInputElement | null) => {
    input.current = element
    // React's types do not know it as a property.
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
          const files = [...(target.files ?? [])].filter(({ name }) => !isClutter(name))
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </span>
  )
}
