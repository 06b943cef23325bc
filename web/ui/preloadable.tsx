import { lazy, type ComponentType } from 'react'

/** A component whose script is loaded when it is drawn, or before: then it is there at once, without a gap in the page. */
export function preloadable<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Loaded: ComponentType<Props> | undefined
  const loadOnce = async () => (Loaded ??= await load())
  const Lazy = lazy(async () => ({ default: await loadOnce() })) as unknown as ComponentType<Props>
  return {
    load: loadOnce,
    Component: (props: Props) => (Loaded === undefined ? <Lazy {...props} /> : <Loaded {...props} />),
  }
}
