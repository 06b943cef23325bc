import { useId } from 'react'
import { useStore } from '../../../model/store.ts'
import { area } from '../../../texts/upload-messages.ts'
import { keptPhotographs } from '../upload-prefs.ts'

/** For users only: a guest's file is always sent as it is. */
export function KeepPhotographs() {
  const id = useId()
  return (
    <>
      <label
        title={area.keepPhotographsText}
        className="flex min-h-9 cursor-pointer items-center gap-2.5 text-dense coarse:min-h-11"
      >
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox has its checked state
          role="switch"
          className="switch"
          aria-describedby={id}
          checked={useStore(keptPhotographs)}
          onChange={({ target }) => keptPhotographs.change(target.checked)}
        />
        {area.keepPhotographs}
      </label>
      <span id={id} className="sr-only">
        {area.keepPhotographsText}
      </span>
    </>
  )
}
