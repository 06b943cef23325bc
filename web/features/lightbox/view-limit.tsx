import { useId, useState, type SubmitEvent } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { serverText } from '../../model/api-error.ts'
import { limitViews } from '../../model/images/image-views.ts'
import { views as texts } from '../../texts/views-messages.ts'
import { LabelledField } from '../../ui/forms/labelled-field.tsx'
import { notify } from '../../ui/toast/toast.ts'

interface Props {
  id: string
  /** null: no limit. */
  left: number | null
}

/** Sets, changes and removes the number of views after which an image is deleted. */
export function ViewLimit({ id, left: initial }: Props) {
  const [left, setLeft] = useState(initial)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const fieldId = useId()

  async function save(limit: number | null): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      const saved = await limitViews(id, limit)
      setLeft(saved)
      setTyped('')
      notify.success(texts.saved(saved))
    } catch (error) {
      console.info(texts.saveFailed, error)
      setProblem(serverText(error, texts.saveFailed))
    } finally {
      setBusy(false)
    }
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const limit = Number(typed)
    if (/^\d+$/.test(typed) && limit >= 1 && limit <= limits.maxViews) void save(limit)
    else setProblem(texts.range(limits.maxViews))
  }

  return (
    <section aria-labelledby={`${fieldId}title`} className="mt-5 grid gap-3 border-t border-border pt-5 text-dense">
      <h3 id={`${fieldId}title`} className="font-medium">
        {texts.limit}
      </h3>
      <p className={left === null ? 'text-text-2' : 'font-medium text-danger-text tabular-nums'}>
        {left === null ? texts.consequence : texts.left(left)}
      </p>
      <form className="grid gap-3" noValidate onSubmit={submit}>
        <LabelledField id={fieldId} label={texts.limitField} hint={texts.limitHint} error={problem}>
          <input
            id={fieldId}
            className="field max-w-40"
            inputMode="numeric"
            autoComplete="off"
            maxLength={String(limits.maxViews).length}
            value={typed}
            aria-invalid={problem !== undefined}
            aria-describedby={`${fieldId}hint`}
            onChange={({ target }) => setTyped(target.value.trim())}
          />
        </LabelledField>
        <div className="flex flex-wrap gap-3">
          <button type="submit" className="btn btn-quiet text-danger-text coarse:h-12" disabled={isBusy}>
            {left === null ? texts.set : texts.change}
          </button>
          {left !== null && (
            <button
              type="button"
              className="btn btn-quiet coarse:h-12"
              disabled={isBusy}
              onClick={() => void save(null)}
            >
              {texts.remove}
            </button>
          )}
        </div>
      </form>
    </section>
  )
}
