// The search of the gallery, which completes its terms (contract/plain/image-query.ts).
import { Search } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { parseImageQuery } from '../../../../contract/plain/image-query.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { ComboboxList } from '../../../ui/combobox/combobox-list.tsx'
import { toolbar } from '../../../texts/dashboard-messages.ts'
import { search as texts } from '../../../texts/tags/search-messages.ts'
import { useCombobox } from '../../../ui/combobox/use-combobox.ts'
import { useSearchText } from '../../../ui/forms/use-search-text.ts'
import { complete, type Suggestion, suggestionsFor } from './suggestions.ts'

interface Props {
  label: string
  text: string
  /** Called when typing pauses, and never with a query that has a problem. */
  onSearch: (text: string) => void
}

export function QueryField({ label, text, onSearch }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { typed, setTyped, isPaused, clearByEscape } = useSearchText(text, (next) => {
    if (problem === undefined) onSearch(next)
  })
  const { problem } = parseImageQuery(typed)
  const [caret, setCaret] = useState(text.length)
  /** Where the caret is once the text is written. */
  const moveTo = useRef<number>(undefined)
  const suggestions = useSuggestions(typed, caret)
  const { inputProps, listProps, open, press } = useCombobox(suggestions, choose)

  // At once: a frame later the caret would leave what is typed meanwhile.
  useLayoutEffect(() => {
    if (moveTo.current === undefined || input.current !== document.activeElement) return
    input.current?.setSelectionRange(moveTo.current, moveTo.current)
    moveTo.current = undefined
  }, [typed])

  function choose(suggestion: Suggestion): void {
    const next = complete(typed, caret, suggestion)
    setTyped(next.query)
    setCaret(next.caret)
    // A value follows an operator; a whole term is followed by the images it finds.
    open(suggestion.text.endsWith(':'))
    moveTo.current = next.caret
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (press(event)) return
    if (event.key === 'Enter') open(false)
    clearByEscape(event)
  }

  // Not while the suggestions show what can follow.
  const shown = problem !== undefined && isPaused && !listProps.isShown ? problem : undefined
  return (
    <div className="toolbar-search">
      <label className="relative block">
        <span className="sr-only">{label}</span>
        <Search
          className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-text-3"
          aria-hidden
        />
        <input
          ref={input}
          type="search"
          className="field pl-10 text-ellipsis"
          placeholder={toolbar.searchHint}
          maxLength={limits.list.maxQueryLength}
          enterKeyHint="search"
          {...inputProps}
          aria-invalid={shown !== undefined}
          aria-describedby={shown === undefined ? undefined : `${id}problem`}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setCaret(target.selectionStart ?? target.value.length)
            open(true)
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
          onFocus={() => open(true)}
          onClick={() => open(true)}
          onBlur={() => open(false)}
          onKeyDown={onKeyDown}
        />
      </label>
      <ComboboxList {...listProps} label={texts.list} />
      <p id={`${id}problem`} className="query-problem" role="status">
        {shown !== undefined && texts.problem(shown.term, shown.expected)}
      </p>
    </div>
  )
}

/** The suggestions of the last text for which they are known. */
function useSuggestions(typed: string, caret: number): readonly Suggestion[] {
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>([])
  useEffect(() => {
    let isCurrent = true
    suggestionsFor(typed, caret).then(
      (found) => isCurrent && setSuggestions(found),
      // The search works without them.
      (error: unknown) => console.info('No suggestions', error),
    )
    return () => void (isCurrent = false)
  }, [typed, caret])
  return suggestions
}
