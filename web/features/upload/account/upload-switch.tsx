import { useId } from 'react'
import { useStore } from '../../../model/store.ts'
import { area } from '../../../texts/upload-messages.ts'
import { keptPhotographs, type UploadPref } from '../upload-prefs.ts'

interface Props {
  pref: UploadPref
  label: string
  /** Id of its explanation. */
  describedBy?: string
}

export function UploadSwitch({ pref, label, describedBy }: Props) {
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2.5 text-dense coarse:min-h-11">
      <input
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox has its checked state
        role="switch"
        className="switch"
        aria-describedby={describedBy}
        checked={useStore(pref)}
        onChange={({ target }) => pref.change(target.checked)}
      />
      {label}
    </label>
  )
}

/** For users only: a guest's file is always sent as it is. */
export function KeepPhotographs() {
  const id = useId()
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 px-4">
      <UploadSwitch pref={keptPhotographs} label={area.keepPhotographs} describedBy={id} />
      <p id={id} className="text-meta text-text-2">
        {area.keepPhotographsText}
      </p>
    </div>
  )
}
