import { useStore } from '../../../model/store.ts'
import type { UploadPref } from '../upload-prefs.ts'

interface Props {
  pref: UploadPref
  label: string
}

export function UploadSwitch({ pref, label }: Props) {
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2.5 text-dense coarse:min-h-11">
      <input
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox has its checked state
        role="switch"
        className="switch"
        checked={useStore(pref)}
        onChange={({ target }) => pref.change(target.checked)}
      />
      {label}
    </label>
  )
}
