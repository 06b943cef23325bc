import { clsx } from 'clsx'
import { Eye, EyeOff } from 'lucide-react'
import { useState, type ClipboardEvent, type KeyboardEvent, type RefObject } from 'react'
import { pin } from '../../../texts/database-view/database-messages.ts'
import { pasteInto, clearPrevious, typeInto, type Digits } from './pin-digits.ts'

interface Props {
  /** The container of the inputs. */
  group: RefObject<HTMLDivElement | null>
  digits: Digits
  isReadOnly: boolean
  isInvalid: boolean
  describedBy: string
  onChange: (digits: Digits) => void
}

/** One input per digit of the PIN, masked unless the user reveals it. */
export function PinBoxes({ group, digits, isReadOnly, isInvalid, describedBy, onChange }: Props) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye

  function take(typed: { digits: Digits; at: number }): void {
    onChange(typed.digits)
    focusBox(group.current, typed.at)
  }

  function onKeyDown(event: KeyboardEvent, at: number): void {
    if (event.altKey || event.ctrlKey || event.metaKey || isReadOnly) return
    const moves: Partial<Record<string, number>> = {
      ArrowLeft: Math.max(0, at - 1),
      ArrowRight: Math.min(digits.length - 1, at + 1),
      Home: 0,
      End: digits.length - 1,
    }
    const to = moves[event.key]
    if (to !== undefined) focusBox(group.current, to)
    else if (event.key === 'Backspace' && digits[at] === '') take(clearPrevious(digits, at))
    else return
    event.preventDefault()
  }

  function onPaste(event: ClipboardEvent, at: number): void {
    event.preventDefault()
    if (!isReadOnly) take(pasteInto(digits, at, event.clipboardData.getData('text')))
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      <div ref={group} role="group" aria-label={pin.enter} className="flex gap-2.5">
        {digits.map((digit, at) => (
          <input
            key={at}
            // The dialog focuses this element when it opens.
            ref={(input) => void input?.toggleAttribute('autofocus', at === 0)}
            className={clsx(
              'field h-15 w-13 px-0 text-center text-[1.625rem] font-semibold tabular-nums caret-accent',
              // Not a password field: a browser would offer to save the PIN.
              !isShown && '[-webkit-text-security:disc]',
            )}
            inputMode="numeric"
            autoComplete="off"
            spellCheck={false}
            aria-label={pin.digit(at + 1, digits.length)}
            aria-invalid={isInvalid}
            aria-describedby={describedBy}
            readOnly={isReadOnly}
            value={digit}
            onChange={({ target }) => take(typeInto(digits, at, target.value))}
            onKeyDown={(event) => onKeyDown(event, at)}
            onPaste={(event) => onPaste(event, at)}
            // Typing replaces the selected digit.
            onFocus={({ target }) => target.select()}
          />
        ))}
      </div>
      <button
        type="button"
        className="btn-icon"
        aria-label={pin.reveal}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        <Icon className="size-5" aria-hidden />
      </button>
    </div>
  )
}

export function focusBox(group: HTMLElement | null, at: number): void {
  const box = group?.querySelectorAll('input')[at]
  box?.focus()
  box?.select()
}
