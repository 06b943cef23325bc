import { ChevronRight } from 'lucide-react'
import { Fragment, useState } from 'react'
import { dateAndTime } from '../../../format/dates.ts'
import { panel, tree, value as texts } from '../../../texts/database-view/database-panel-messages.ts'
import { PriorityBadge } from '../table/cell.tsx'
import { typedValue } from '../table/typed-value.ts'
import { cutText } from './cut-text.ts'
import { type Container, isContainer, nameText, type JsonPath, sizeOf } from './json-path.ts'
import { summary } from './tree-line.tsx'
import { panelLimits } from './panel-limits.ts'

const { slice, textPreviewChars } = panelLimits

interface Props {
  value: Container
  /** The path of the value in the document. */
  at: JsonPath
  onOpen: (path: JsonPath) => void
}

/** A read-only form: each field displayed by its type. */
export function GuiFields({ value, at, onOpen }: Props) {
  const [count, setCount] = useState<number>(slice)
  const names = Array.isArray(value) ? undefined : Object.keys(value)
  const size = sizeOf(value)
  const shown = Array.from({ length: Math.min(count, size) }, (_, place) => names?.[place] ?? place)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and nothing in it may take the focus
    <div className="doc-body doc-gui" role="group" aria-label={panel.content} tabIndex={0}>
      <dl className="doc-fields">
        {shown.map((name) => (
          <Fragment key={name}>
            <dt>
              <bdi>{nameText(name)}</bdi>
            </dt>
            <dd>
              <TypedValue
                name={name}
                value={(value as Record<string | number, unknown>)[name]}
                onOpen={() => onOpen([...at, name])}
              />
            </dd>
          </Fragment>
        ))}
      </dl>
      {size > count && (
        <button type="button" className="btn btn-quiet btn-sm mt-3 coarse:h-11" onClick={() => setCount(count + slice)}>
          {tree.moreFields(Math.min(slice, size - count))}
        </button>
      )}
    </div>
  )
}

function TypedValue({ name, value, onOpen }: { name: string | number; value: unknown; onOpen: () => void }) {
  if (isContainer(value)) {
    return (
      <button type="button" className="doc-chip" aria-label={texts.openNamed(nameText(name))} onClick={onOpen}>
        {summary(value)}
        <ChevronRight className="size-3.5" aria-hidden />
      </button>
    )
  }
  const typed = typedValue(String(name), value)
  switch (typed.kind) {
    case 'boolean':
      return (
        <span className="inline-flex items-center gap-2">
          <span className="dt-switch" data-on={typed.value} aria-hidden />
          {String(typed.value)}
        </span>
      )
    case 'priority':
      return <PriorityBadge priority={typed.value} />
    case 'date':
      return (
        <time dateTime={typed.value}>
          {dateAndTime(typed.value)} <span className="doc-raw">{typed.value}</span>
        </time>
      )
    case 'text':
      return <Text text={typed.value} />
    default:
      return <span className="doc-number">{JSON.stringify(value)}</span>
  }
}

function Text({ text }: { text: string }) {
  const [chars, setChars] = useState<number>(textPreviewChars)
  if (text === '') return <span className="text-text-3">{texts.empty}</span>
  const { shown, hidden } = cutText(text, chars)
  return (
    <>
      <bdi className="doc-text">
        {shown}
        {hidden > 0 && '…'}
      </bdi>
      {hidden > 0 && (
        <button type="button" className="doc-more" onClick={() => setChars(chars * 10)}>
          {tree.showMore} ({tree.hidden(hidden)})
        </button>
      )}
    </>
  )
}
