import { Columns3, Minus, Plus, RotateCcw } from 'lucide-react'
import { useId, useState } from 'react'
import { noColumnPrefs, setColumnPrefs, type ColumnPrefs } from '../database-columns.ts'
import { columnsMenu as text, documentsTable } from '../../../texts/database-view/database-table-messages.ts'
import { maxShown, withColumn } from './table-columns.ts'

interface Props {
  collection: string
  /** All columns of the page. */
  columns: readonly string[]
  shown: readonly string[]
  prefs: ColumnPrefs
  /** @param steps negative: narrower */
  onStep: (name: string, steps: number) => void
}

/** Selects the visible columns and their widths. */
export function ColumnsMenu(props: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const hidden = props.columns.length - props.shown.length
  return (
    <>
      <button type="button" className="btn btn-quiet btn-sm" popoverTarget={id}>
        <Columns3 className="size-4" aria-hidden />
        {text.button}
        {hidden > 0 && <span className="text-text-3">{text.hiddenCount(hidden)}</span>}
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label={text.button}
        className="menu dt-menu"
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && <Choice {...props} />}
      </div>
    </>
  )
}

/** A document can have thousands of fields: the list is limited to a length one can scroll. */
const maxListed = 100

function Choice({ collection, columns, shown, prefs, onStep }: Props) {
  const [typed, setTyped] = useState('')
  const sought = typed.trim().toLowerCase()
  const found = columns.filter((name) => name.toLowerCase().includes(sought))
  const isShown = new Set(shown)
  return (
    <>
      {columns.length > 8 && (
        <input
          type="text"
          className="field mb-2"
          aria-label={text.filter}
          placeholder={text.filter}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <ul>
        {found.slice(0, maxListed).map((name) => (
          <li key={name} className="flex items-center">
            <label className="dt-choice">
              <input
                type="checkbox"
                checked={isShown.has(name)}
                disabled={name === '_id'}
                onChange={(event) => setColumnPrefs(collection, withColumn(prefs, name, event.target.checked))}
              />
              <bdi className="truncate" title={name}>
                {name === '' ? documentsTable.noName : name}
              </bdi>
            </label>
            <Step icon={Minus} label={text.narrower(name)} isOff={!isShown.has(name)} onStep={() => onStep(name, -1)} />
            <Step icon={Plus} label={text.wider(name)} isOff={!isShown.has(name)} onStep={() => onStep(name, 1)} />
          </li>
        ))}
      </ul>
      <p className="px-2 text-meta text-text-3" role="status">
        {found.length === 0 && text.noMatch}
        {found.length > maxListed && text.more(found.length - maxListed)}
      </p>
      {columns.length > maxShown && <p className="px-2 pt-1 text-meta text-text-3">{text.limit(maxShown)}</p>}
      <button
        type="button"
        className="btn btn-ghost btn-sm mt-2 w-full"
        onClick={() => setColumnPrefs(collection, noColumnPrefs)}
      >
        <RotateCcw className="size-4" aria-hidden />
        {text.reset}
      </button>
    </>
  )
}

interface StepProps {
  icon: typeof Plus
  label: string
  isOff: boolean
  onStep: () => void
}

const Step = ({ icon: Icon, label, isOff, onStep }: StepProps) => (
  <button type="button" className="btn-icon btn-icon-sm" aria-label={label} disabled={isOff} onClick={onStep}>
    <Icon className="size-4" aria-hidden />
  </button>
)
