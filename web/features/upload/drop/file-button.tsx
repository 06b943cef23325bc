import { useRef } from 'react'
import { inOrder, rememberFolders } from './folder-of-file.ts'

interface Props {
  text: string
  className: string
  /** MIME types and extensions, as of an input; a folder has files of any type. */
  accept?: string
  isMultiple?: boolean
  isFolder?: boolean
  onFiles: (files: readonly File[]) => void
}

/** A button that opens the file dialog of a hidden file input. */
export function FileButton({ text, className, accept, isMultiple = false, isFolder = false, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" className={className} onClick={() => input.current?.click()}>
        {text}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMultiple}
        accept={accept}
        // The types of React have no such property.
        {...(isFolder && { webkitdirectory: '' })}
        onChange={({ target }) => {
          const chosen = [...(target.files ?? [])]
          const files = isFolder ? inOrder(chosen, (file) => file.webkitRelativePath) : chosen
          // Choosing the same file again must be a change event too.
          target.value = ''
          if (isFolder) rememberFolders(files.map((file) => ({ file, path: file.webkitRelativePath })))
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}
