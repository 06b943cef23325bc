import { useRef } from 'react'
import { dropZone } from '../../../texts/messages.ts'
import { acceptedTypes, type UploadRules } from './rules.ts'

interface Props {
  rules: UploadRules
  className: string
  text?: string
  isMultiple?: boolean
  onFiles: (files: readonly File[]) => void
}

/** A button that opens the file dialog of a hidden file input. */
export function ChooseButton({ rules, className, text = dropZone.choose, isMultiple = false, onFiles }: Props) {
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
        accept={acceptedTypes(rules)}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // Choosing the same file again must be a change event too.
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}
