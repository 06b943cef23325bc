import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { FieldProblem } from './field-problem.tsx'

type Options<V extends string> = readonly (readonly [value: V, text: string])[]

interface Props<V extends string> {
  label: string
  /** Visible above the select; else the label is for screen readers only. */
  hasLabel?: boolean | undefined
  /** Highlighted while its value is not the first option: it hides something, or is an unusual order. */
  isFilter?: boolean
  /** For use inside a form. */
  name?: string
  /** What is wrong with the choice. */
  problem?: string | undefined
  value: V
  options: Options<V>
  /** Further options, each group below its label. */
  groups?: readonly (readonly [label: string, options: Options<V>])[]
  onChange: (value: V) => void
}

/** A native select. */
export function Select<V extends string>(props: Props<V>) {
  const { label, hasLabel = false, isFilter = false, name, problem, value, options, groups = [], onChange } = props
  const id = useId()
  const all = [...options, ...groups.flatMap(([, grouped]) => grouped)]
  return (
    <div className={hasLabel ? 'grid min-w-0 gap-1.5' : 'contents'}>
      <label htmlFor={id} className={hasLabel ? 'font-medium' : 'sr-only'}>
        {label}
      </label>
      <span className="select" data-set={isFilter && value !== options[0]?.[0]}>
        <select
          id={id}
          name={name}
          value={value}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem === undefined ? undefined : `${id}problem`}
          onChange={(event) => onChange(all[event.target.selectedIndex]?.[0] ?? value)}
        >
          {toOptions(options)}
          {groups.map(([group, grouped]) => (
            <optgroup key={group} label={group}>
              {toOptions(grouped)}
            </optgroup>
          ))}
        </select>
        <ChevronDown className="size-4" aria-hidden />
      </span>
      {problem !== undefined && <FieldProblem id={`${id}problem`} text={problem} />}
    </div>
  )
}

const toOptions = <V extends string>(options: Options<V>) =>
  options.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ))
