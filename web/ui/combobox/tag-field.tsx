import { Plus, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { normalizeTag } from '../../../contract/plain/tag-names.ts'
import { countedImages } from '../../texts/counts.ts'
import { tags as texts } from '../../texts/tags/tag-messages.ts'
import { ComboboxList } from './combobox-list.tsx'
import { TagChip } from './tag-chip.tsx'
import { type ComboOption, useCombobox } from './use-combobox.ts'

export interface KnownTag {
  name: string
  images: number
  colour: string | null
}

interface Props {
  tags: readonly string[]
  onChange: (tags: string[]) => void
  /** Tags that only some of the images have, and how many of how many. */
  some?: { tag: string; images: number }[]
  of?: number
  /** The user's tags that contain the text, the most used first. */
  suggest: (typed: string) => Promise<readonly KnownTag[]>
}

/** Tags as chips, and a field that completes the next one. */
export function TagField({ tags, onChange, some = [], of = 1, suggest }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [known, setKnown] = useState<readonly KnownTag[]>([])
  const [colours, setColours] = useState<ReadonlyMap<string, string | null>>(new Map())
  const [isInvalid, setInvalid] = useState(false)
  useEffect(() => {
    let isCurrent = true
    // A list that cannot be loaded completes nothing; the tag can still be typed.
    suggest(typed).then(
      (found) => {
        if (!isCurrent) return
        setKnown(found)
        // Those of earlier lists are still those of the chips.
        setColours((before) => new Map([...before, ...found.map(({ name, colour }) => [name, colour] as const)]))
      },
      (error: unknown) => console.info('No suggestions', error),
    )
    return () => void (isCurrent = false)
  }, [typed]) // oxlint-disable-line react-hooks/exhaustive-deps -- `suggest` is the same function in each render

  const wanted = normalizeTag(typed)
  const options: ComboOption[] = known
    .filter(({ name }) => !tags.includes(name))
    .map(({ name, images, colour }) => ({ id: name, label: name, detail: countedImages(images), colour }))
  if (wanted !== undefined && !tags.includes(wanted) && !options.some((option) => option.id === wanted))
    options.unshift({ id: wanted, label: texts.create(wanted) })
  const { inputProps, listProps, open, press } = useCombobox(options, (option) => add(option.id), {
    hasFirst: typed.trim() !== '',
  })

  function add(text: string): boolean {
    const tag = normalizeTag(text)
    setInvalid(tag === undefined)
    if (tag === undefined) return false
    setTyped('')
    open(false)
    if (!tags.includes(tag)) onChange([...tags, tag].toSorted())
    return true
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (press(event)) return
    const isEnd = event.key === 'Enter' || event.key === ','
    if (isEnd && typed.trim() !== '') {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Backspace' && typed === '' && tags.length > 0) onChange(tags.slice(0, -1))
  }

  const remove = (tag: string) => {
    onChange(tags.filter((other) => other !== tag))
    input.current?.focus()
  }
  return (
    <div>
      <label htmlFor={`${id}input`} className="mb-1.5 block font-medium">
        {texts.label}
      </label>
      <div className="tag-box">
        {tags.map((tag) => (
          <TagChip
            key={tag}
            text={tag}
            colour={colours.get(tag)}
            icon={X}
            action={texts.remove(tag)}
            onPress={() => remove(tag)}
          />
        ))}
        {some
          .filter(({ tag }) => !tags.includes(tag))
          .map(({ tag, images }) => (
            <TagChip
              key={tag}
              text={texts.onSome(tag, images, of)}
              isPartial
              icon={Plus}
              action={texts.addToAll(tag)}
              onPress={() => add(tag)}
            />
          ))}
        <input
          ref={input}
          id={`${id}input`}
          className="tag-input"
          placeholder={texts.add}
          enterKeyHint="done"
          aria-describedby={`${id}hint`}
          aria-invalid={isInvalid}
          {...inputProps}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setInvalid(false)
            open(true)
          }}
          // Not by the focus alone: the list would cover the button of a dialog that was just opened.
          onClick={() => open(true)}
          onBlur={() => {
            open(false)
            if (typed.trim() !== '') add(typed)
          }}
          onKeyDown={onKeyDown}
        />
        <ComboboxList {...listProps} label={texts.list} isFloating />
      </div>
      <p id={`${id}hint`} className="mt-1 text-meta text-text-2" role="status">
        {isInvalid ? texts.invalid : texts.hint}
      </p>
    </div>
  )
}
