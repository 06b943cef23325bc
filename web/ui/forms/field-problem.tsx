import { CircleAlert } from 'lucide-react'

interface Props {
  /** In the field's aria-describedby, where nothing around it has one. */
  id?: string
  text: string
  /** It appears while somebody types in the field. */
  isLive?: boolean
}

/** What is wrong with a field, below it. */
export const FieldProblem = ({ id, text, isLive = false }: Props) => (
  <p
    ref={isLive ? undefined : announceFirst}
    id={id}
    role={isLive ? 'alert' : undefined}
    className="field-problem flex gap-1.5 text-meta text-danger-text wrap-anywhere"
  >
    <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
    {text}
  </p>
)

/** Of several problems only the first is announced: its field gets the focus, and the others describe their own. */
function announceFirst(problem: HTMLElement | null): void {
  const first = problem?.closest('form')?.querySelector('.field-problem') ?? problem
  if (first === problem) problem?.setAttribute('role', 'alert')
}
