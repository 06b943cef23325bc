import { useId, type ReactNode } from 'react'

interface Props {
  title: string
  text?: string | undefined
  children: ReactNode
}

/** A section of the account page: description and controls, side by side or stacked on narrow screens. */
export function AccountSection({ title, text, children }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="card grid gap-x-10 gap-y-5 p-5 md:grid-cols-[16rem_minmax(0,1fr)] md:p-7 lg:grid-cols-[minmax(16rem,1fr)_minmax(0,36rem)]"
    >
      <div>
        <h2 id={id} className="text-h3">
          {title}
        </h2>
        {text !== undefined && <p className="mt-1 max-w-[34ch] text-dense text-text-2">{text}</p>}
      </div>
      <div className="grid min-w-0 content-start gap-5">{children}</div>
    </section>
  )
}
