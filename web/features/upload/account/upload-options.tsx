import { Settings2 } from 'lucide-react'
import { useRef } from 'react'
import { uploadOptions } from '../../../texts/dashboard-messages.ts'
import { placePopover } from '../../../ui/menu/place-popover.ts'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { KeepPhotographs, KeepUploads, PrivateUploads } from './upload-switches.tsx'

const id = 'upload-options'

/** A button that shows how images are uploaded, next to the upload. */
export function UploadOptions() {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Tooltip text={uploadOptions.label}>
        <button
          ref={button}
          type="button"
          className="btn-icon size-10 coarse:size-11"
          popoverTarget={id}
          aria-label={uploadOptions.label}
        >
          <Settings2 className="size-[1.125rem]" aria-hidden />
        </button>
      </Tooltip>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label={uploadOptions.label}
        className="menu upload-options"
        onToggle={({ currentTarget, newState }) => {
          if (newState === 'open' && button.current !== null)
            placePopover(currentTarget, button.current.getBoundingClientRect())
        }}
      >
        <KeepPhotographs />
        <KeepUploads />
        <PrivateUploads />
      </div>
    </>
  )
}
