import { clsx } from 'clsx'
import { Lock } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { edit as texts } from '../../../texts/database-view/database-panel-messages.ts'
import { priorities } from '../table/typed-value.ts'
import { type Edit, preserveLineBreaks, inputTextOf } from './document-changes.ts'
import { type EditableKind, type FieldKind, isEditable } from './field-kind.ts'
import type { NumberProblem } from './number-text.ts'
import { isContainer, nameText } from './json-path.ts'
import { summary } from './tree-line.tsx'
import { panelLimits } from './panel-limits.ts'
import { FieldProblem } from '../../../ui/forms/field-problem.tsx'

interface Props {
  name: string
  kind: FieldKind
  /** The stored value; undefined when the document no longer has the field. */
  stored: unknown
  edit: Edit | undefined
  isModified: boolean
  problem: NumberProblem | undefined
  /** True while the document is being saved. */
  isFrozen: boolean
  onEdit: (edit: Edit) => void
}

export function EditField(props: Props) {
  const { name, kind, stored, isModified, problem } = props
  const id = useId()
  return (
    <div className="doc-field" data-modified={isModified}>
      <div className="doc-field-head">
        <label id={`${id}label`} htmlFor={isEditable(kind) || kind === 'null' ? id : undefined}>
          <bdi>{nameText(name)}</bdi>
          {isModified && <span className="doc-modified"> {texts.modified}</span>}
        </label>
        {isEditable(kind) && <span className="doc-kind">{texts.kinds[kind]}</span>}
      </div>
      {isEditable(kind) ? <Control {...props} kind={kind} id={id} /> : <Fixed id={id} kind={kind} stored={stored} />}
      {problem !== undefined && (
        <div className="mt-1">
          <FieldProblem id={`${id}problem`} text={texts.problems[problem]} isLive />
        </div>
      )}
    </div>
  )
}

function Control({
  name,
  kind,
  stored,
  edit,
  problem,
  isFrozen,
  onEdit,
  id,
}: Props & { kind: EditableKind; id: string }) {
  const raw = edit?.raw ?? inputTextOf(stored)
  const change = (next: string | boolean) => !isFrozen && onEdit({ kind, raw: next })
  const text = String(raw)
  const isLarge = text.length > panelLimits.largeTextChars
  const dir = isLarge ? undefined : 'auto'
  const common = { id, name, spellCheck: false, autoComplete: 'off', readOnly: isFrozen, ...(dir && { dir }) }
  switch (kind) {
    case 'switch':
      return (
        <span className="flex min-h-8 items-center gap-2.5">
          <button
            type="button"
            role="switch"
            id={id}
            className="switch"
            aria-checked={raw === true}
            aria-labelledby={`${id}label`}
            onClick={() => change(raw !== true)}
          />
          <span className="doc-number" aria-hidden>
            {String(raw)}
          </span>
        </span>
      )
    case 'priority':
      return (
        <select id={id} className="field" value={text} onChange={(event) => change(event.target.value)}>
          {optionsOf(stored, text).map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      )
    case 'long':
      return (
        <textarea
          {...common}
          className={clsx('field doc-area', isLarge && 'doc-area-large')}
          rows={4}
          value={text}
          onChange={(event) => change(preserveLineBreaks(stored, event.target.value))}
        />
      )
    case 'number':
      return (
        <input
          {...common}
          className="field font-mono"
          value={text}
          aria-invalid={problem !== undefined}
          {...(problem !== undefined && { 'aria-describedby': `${id}problem` })}
          onChange={(event) => change(event.target.value)}
        />
      )
    case 'text':
      return <input {...common} className="field" value={text} onChange={(event) => change(event.target.value)} />
  }
}

const placeOf = (option: string) => priorities.findIndex((known) => known === option)

/** The stored value is none of true, false and null: offers to restore it. */
const optionsOf = (stored: unknown, text: string) =>
  [...new Set([...(typeof stored === 'string' ? [stored] : []), text, ...priorities])].toSorted(
    (a, b) => placeOf(a) - placeOf(b),
  )

function Fixed({ id, kind, stored }: { id: string; kind: FieldKind; stored: unknown }): ReactNode {
  if (kind === 'null')
    return <input id={id} className="field font-mono" value="null" title={texts.isNull} disabled readOnly />
  if (kind === 'locked')
    return (
      <p className="doc-locked" title={texts.locked}>
        <Lock className="size-3.5 shrink-0" aria-hidden />
        <bdi>{String(stored)}</bdi>
      </p>
    )
  return (
    <div className="doc-complex">
      {isContainer(stored) && <code>{summary(stored)}</code>}
      <p>{texts.complex}</p>
    </div>
  )
}
