import { boundary } from '../texts/messages.ts'
import { paths } from '../paths.ts'

export interface RenderFailure {
  error: unknown
  id: string
}

/** Plain links, since the router may be the part that failed. */
export function ErrorPage({ error, id }: RenderFailure) {
  return (
    <div className="page grid min-h-[70dvh] max-w-xl flex-1 place-content-center gap-5 py-16 text-center" role="alert">
      <h1 className="text-title">{boundary.title}</h1>
      <p className="text-text-2">{isNotLoaded(error) ? boundary.notLoaded : boundary.text}</p>
      <div className="flex flex-wrap justify-center gap-3">
        <button type="button" className="btn btn-primary" onClick={() => location.reload()}>
          {boundary.reload}
        </button>
        <a className="btn btn-quiet" href={paths.home}>
          {boundary.home}
        </a>
      </div>
      <p className="text-meta text-text-3">
        {boundary.id}: <code className="select-all">{id}</code>
      </p>
      {import.meta.env.DEV && error instanceof Error && <pre className="code text-left">{error.stack}</pre>}
    </div>
  )
}

/** The messages of Chromium, Firefox and Safari for a script that cannot be loaded: after an update of the site, or offline. */
export const isNotLoaded = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script failed|preload CSS/i.test(error.message)
