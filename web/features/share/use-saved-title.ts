import { useEffect, useRef, useState } from 'react'
import { errorText } from '../../format/error-text.ts'
import { share as texts } from '../../texts/share-messages.ts'
import { notify } from '../../ui/toast/toast.ts'

/** What was typed is saved after this pause, or at once when the field is left. */
const pauseMs = 700

export type TitleState = 'unchanged' | 'saving' | 'saved' | 'failed'

/** A title that is saved while it is typed. Saves one after another: the last one wins. */
export function useSavedTitle(initial: string, onSave: (title: string) => Promise<void>) {
  const [text, setText] = useState(initial)
  const [state, setState] = useState<TitleState>('unchanged')
  /** Of a failure, as the server says it. */
  const [reason, setReason] = useState('')
  /** Counts what was saved, to load again what shows it. */
  const [version, setVersion] = useState(0)
  const wanted = useRef(initial)
  const saved = useRef(initial)
  const isSaving = useRef(false)
  const isGone = useRef(false)

  async function save(): Promise<void> {
    if (isSaving.current || wanted.current === saved.current) return
    isSaving.current = true
    setState('saving')
    try {
      while (wanted.current !== saved.current) {
        const sent = wanted.current
        await onSave(sent)
        saved.current = sent
      }
      setState('saved')
      setVersion((before) => before + 1)
    } catch (error) {
      console.info('The title was not saved', error)
      setState('failed')
      setReason(errorText(error, ''))
      // The field that would say so is gone.
      if (isGone.current) notify.error(texts.failed)
    } finally {
      isSaving.current = false
    }
  }

  const saveNow = useRef(save)
  useEffect(() => {
    saveNow.current = save
  })
  useEffect(() => {
    isGone.current = false
    return () => void (isGone.current = true)
  }, [])
  useEffect(() => {
    const timer = setTimeout(() => void saveNow.current(), pauseMs)
    return () => clearTimeout(timer)
  }, [text])

  return {
    text,
    title: text.trim(),
    state,
    reason,
    version,
    save,
    change: (next: string) => {
      setText(next)
      wanted.current = next.trim()
    },
  }
}
